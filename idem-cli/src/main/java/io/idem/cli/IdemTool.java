package io.idem.cli;

import io.idem.StoreUnavailableException;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.redis.store.RedisRecordLister;
import java.io.PrintStream;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command line: {@code idem inspect|list|release|complete|reopen}. */
@Command(
        name = "idem",
        mixinStandardHelpOptions = true,
        version = "idem 0.1.0",
        synopsisSubcommandLabel = "COMMAND",
        description = "Looks at idem's records in Redis, and ends them in their owners' place.",
        subcommands = {
            InspectCommand.class,
            ListCommand.class,
            ActCommand.Release.class,
            ActCommand.Complete.class,
            ActCommand.Reopen.class,
            HelpCommand.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:found, or done",
            "1:no such record, or its state does not allow it; nothing was changed",
            "2:the command line cannot be used",
            "3:Redis did not answer"
        })
public final class IdemTool {

    @Mixin
    private final RedisOptions redis = new RedisOptions();

    @Option(names = "--json", description = "Answers in JSON.")
    private boolean json;

    private final Map<String, String> environment;
    private final PrintStream out;

    IdemTool(Map<String, String> environment, PrintStream out) {
        this.environment = environment;
        this.out = out;
    }

    /** Runs the tool and ends the process. */
    public static void main(String[] arguments) {
        System.exit(run(arguments, System.getenv(), System.out));
    }

    static int run(String[] arguments, Map<String, String> environment, PrintStream out) {
        return new CommandLine(new IdemTool(environment, out))
                .setExecutionExceptionHandler(IdemTool::failed)
                .execute(arguments);
    }

    private static int failed(Exception failure, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
        if (failure instanceof StoreUnavailableException) {
            command.getErr().println(failure.getMessage());
            return Exit.UNAVAILABLE;
        }
        if (failure instanceof IllegalArgumentException) {
            command.getErr().println(failure.getMessage());
            return Exit.USAGE;
        }
        throw failure;
    }

    RedisIdempotencyStore store() {
        return new RedisIdempotencyStore(redis.settings(environment));
    }

    RedisRecordLister lister() {
        return new RedisRecordLister(redis.settings(environment));
    }

    Printer printer() {
        return new Printer(out, json);
    }
}
