package io.idem.cli;

import io.idem.ExecutionPolicy;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.operations.OperatorAct;
import io.idem.operations.OperatorAct.Action;
import io.idem.operations.RecordOperator;
import io.idem.redis.store.RedisIdempotencyStore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** A write to one record. Logged, with its reason, on the standard error. */
abstract sealed class ActCommand implements Callable<Integer> {

    private final Action action;

    @ParentCommand
    private @Nullable IdemTool tool;

    @Mixin
    private final KeyOptions options = new KeyOptions();

    @Option(names = "--scope", required = true, description = "Whose record.")
    private String scope = "";

    @Option(names = "--reason", required = true, description = "Why; it is logged.")
    private String reason = "";

    @Option(
            names = "--operator",
            defaultValue = "${sys:user.name}",
            description = "Who asks; it is logged. Default: ${DEFAULT-VALUE}")
    private String operator = "";

    @Option(
            names = "--retention",
            paramLabel = "DURATION",
            defaultValue = "PT24H",
            description = "How long the record is kept from now on. Default: ${DEFAULT-VALUE}")
    private Duration retention = ExecutionPolicy.DEFAULT_RETENTION;

    private ActCommand(Action action) {
        this.action = action;
    }

    @Override
    public Integer call() {
        IdemTool idem = Objects.requireNonNull(tool);
        RecordId record = new RecordId(options.key(), new Scope(scope));
        ScopePolicies policies = ScopePolicies.same(ExecutionPolicy.of(ExecutionPolicy.DEFAULT_LEASE, retention));
        try (RedisIdempotencyStore store = idem.store()) {
            OperatorAct act = new RecordOperator(store, policies, done -> {}).act(action, record, operator, reason);
            idem.printer().print(Printer.act(act));
            return act.done() ? Exit.DONE : Exit.REFUSED;
        }
    }

    /** The command {@code idem release}. */
    @Command(
            name = "release",
            mixinStandardHelpOptions = true,
            description =
                    "Gives the key of unfinished work back, also while its owner is alive: the work may run twice.")
    static final class Release extends ActCommand {
        Release() {
            super(Action.RELEASE);
        }
    }

    /** The command {@code idem complete}. */
    @Command(
            name = "complete",
            mixinStandardHelpOptions = true,
            description =
                    "Calls unfinished work done, without a result: it does not run again. Not for work with an inbox, whose row is"
                            + " not asked: messages that it keeps would never leave. Use the application's endpoint.")
    static final class Complete extends ActCommand {
        Complete() {
            super(Action.COMPLETE);
        }
    }

    /** The command {@code idem reopen}. */
    @Command(
            name = "reopen",
            mixinStandardHelpOptions = true,
            description = "Opens work that failed for good; then its dead letter may be redriven.")
    static final class Reopen extends ActCommand {
        Reopen() {
            super(Action.REOPEN);
        }
    }
}
