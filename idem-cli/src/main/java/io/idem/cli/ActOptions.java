package io.idem.cli;

import io.idem.ExecutionPolicy;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.operations.OperatorAct;
import io.idem.operations.OperatorAct.Action;
import io.idem.operations.RecordOperator;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a write to one record, which is logged, with its reason, on the standard error. */
final class ActOptions {

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
            required = true,
            paramLabel = "DURATION",
            description = "How long record and steps are kept from now on: as the application keeps them, since"
                    + " later duplicates run again.")
    private Duration retention = ExecutionPolicy.DEFAULT_RETENTION;

    OperatorAct act(Action action, IdempotencyStore store) {
        Scope of = new Scope(scope);
        RecordId record = new RecordId(
                options.key(known -> store.inspect(new RecordId(known, of)).isPresent()), of);
        ScopePolicies policies = ScopePolicies.same(ExecutionPolicy.of(ExecutionPolicy.DEFAULT_LEASE, retention));
        return new RecordOperator(store, policies, done -> {}).act(action, record, operator, reason);
    }
}
