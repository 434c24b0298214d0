package io.idem.cli;

import static io.idem.internal.value.Arguments.require;

import io.idem.IdempotencyException;
import io.idem.IdempotencyKey;
import io.idem.InvalidKeyException;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.internal.operations.ShownRecord;
import io.idem.operations.OperatorAct;
import io.idem.operations.OperatorAct.Action;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.redis.store.RedisRecordLister;
import io.idem.spi.RecordLister;
import java.io.PrintStream;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The command line: {@code idem inspect|list|release|complete|reopen}. */
@Command(
        name = "idem",
        mixinStandardHelpOptions = true,
        version = "idem 0.1.0",
        synopsisSubcommandLabel = "COMMAND",
        description = "Looks at idem's records in Redis, and ends them in their owners' place.",
        subcommands = HelpCommand.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:found, or done",
            "1:no such record, or its state does not allow it; nothing was changed",
            "2:the command line cannot be used",
            "3:Redis did not answer, or a record cannot be read"
        })
public final class IdemTool {

    private static final int MOST = 10_000;

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
                .registerConverter(Duration.class, IdemTool::duration)
                .setExecutionExceptionHandler(IdemTool::failed)
                .execute(arguments);
    }

    /** Reads a duration as settings have it, or in the form of ISO 8601. */
    private static Duration duration(String text) {
        String iso = text.replaceFirst("^(\\d+)([smh])$", "PT$1$2").replaceFirst("^(\\d+)d$", "P$1D");
        try {
            return text.matches("\\d{1,9}ms")
                    ? Duration.ofMillis(Long.parseLong(text.replace("ms", "")))
                    : Duration.parse(iso);
        } catch (DateTimeParseException invalid) {
            throw new TypeConversionException("\"" + text + "\" is no duration such as 500ms, 30s, 24h or PT24H");
        }
    }

    private static int failed(Exception failure, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
        boolean unusable = failure instanceof IllegalArgumentException || failure instanceof InvalidKeyException;
        if (!unusable && !(failure instanceof IdempotencyException)) {
            throw failure;
        }
        command.getErr().println(failure.getMessage());
        return unusable ? Exit.USAGE : Exit.UNAVAILABLE;
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Shows a key's records in all announced scopes, with the steps that each remembers.")
    int inspect(@Mixin KeyOptions options) {
        try (RedisIdempotencyStore store = store()) {
            IdempotencyKey key = options.key(known -> !store.inspectAll(known).isEmpty());
            List<Map<String, Object>> found = store.inspectAll(key).stream()
                    .map(record -> Printer.record(ShownRecord.of(
                            key.id(), record, store.steps(new RecordId(key, record.scope())), List.of())))
                    .toList();
            printer()
                    .print(
                            "records",
                            found,
                            found.isEmpty()
                                    ? Map.of("keyId", key.id(), "note", ShownRecord.NOTHING)
                                    : Map.of("keyId", key.id()));
            return found.isEmpty() ? Exit.REFUSED : Exit.DONE;
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Shows records in one state, a bounded part of Redis per call: go on with --cursor until next=0.",
                "A part may have none of them. Needs the permission to SCAN."
            })
    int list(
            @Option(
                            names = "--state",
                            defaultValue = "PENDING",
                            description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
                    RecordState state,
            @Option(
                            names = "--cursor",
                            defaultValue = RecordLister.START,
                            description = "Where to go on. Default: from the start")
                    String cursor,
            @Option(
                            names = "--limit",
                            defaultValue = "1000",
                            description = "About how many records are looked at, from 1 to " + MOST
                                    + ". Default: ${DEFAULT-VALUE}")
                    int limit) {
        require(limit >= 1 && limit <= MOST, "--limit " + limit + " is not between 1 and " + MOST);
        try (RedisRecordLister lister = new RedisRecordLister(redis.settings(environment))) {
            RecordLister.Page page = lister.list(cursor, limit);
            List<Map<String, Object>> shown = page.records().stream()
                    .filter(listed -> listed.record().state() == state)
                    .map(listed -> Printer.record(ShownRecord.of(listed.keyId(), listed.record(), null, List.of())))
                    .toList();
            printer().print("records", shown, Map.of("next", page.next()));
            return Exit.DONE;
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description =
                    "Gives the key of unfinished work back, also while its owner is alive: the work may run twice.")
    int release(@Mixin ActOptions options) {
        return act(Action.RELEASE, options);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description =
                    "Calls unfinished work done, without a result: it does not run again. Not for work with an inbox, whose row is"
                            + " not asked: messages that it keeps would never leave. Use the application's endpoint.")
    int complete(@Mixin ActOptions options) {
        return act(Action.COMPLETE, options);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Opens work that failed for good; then its dead letter may be redriven.")
    int reopen(@Mixin ActOptions options) {
        return act(Action.REOPEN, options);
    }

    private int act(Action action, ActOptions options) {
        try (RedisIdempotencyStore store = store()) {
            OperatorAct act = options.act(action, store);
            printer().print(Printer.act(act));
            return act.done() ? Exit.DONE : Exit.REFUSED;
        }
    }

    private RedisIdempotencyStore store() {
        return new RedisIdempotencyStore(redis.settings(environment));
    }

    private Printer printer() {
        return new Printer(out, json);
    }
}
