package io.idem.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.InboxTransaction;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.TakeoverPolicy;
import io.idem.engine.IdempotentExecutor;
import io.idem.internal.spring.BeforeContainers;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.Locale;

/**
 * Refuses to start an application whose executor does not use the rows of the inbox, or whose policies the inbox cannot follow (takeovers, retention). Runs when all participants are registered, and before any listener container starts.
 */
final class InboxPolicyCheck extends BeforeContainers {

    private final IdempotentExecutor executor;
    private final IdempotencyStore store;
    private final ScopePolicies policies;
    private final ScopeRegistry registry;

    InboxPolicyCheck(
            IdempotentExecutor executor, IdempotencyStore store, ScopePolicies policies, ScopeRegistry registry) {
        this.executor = executor;
        this.store = store;
        this.policies = policies;
        this.registry = registry;
    }

    @Override
    protected void prepare() {
        Duration rows = InboxAsStore.of(executor, store).retention();
        check(rows, "idem", policies.all());
        policies.scopes().forEach(scope -> check(rows, "idem.scopes." + scope, policies.of(scope)));
        registry.policies().forEach((scope, policy) -> check(rows, participant(scope), policy));
    }

    private String participant(Scope scope) {
        return "scope \"" + scope + "\" (" + registry.participants().get(scope.name()) + ")";
    }

    private static void check(Duration rows, String where, ExecutionPolicy policy) {
        TakeoverPolicy takeover = policy.attempts().takeover();
        boolean hasLease = policy.attempts().transaction() == InboxTransaction.LAST_PHASE;
        if (!hasLease && !(takeover instanceof TakeoverPolicy.Rerun)) {
            String mode = takeover.getClass().getSimpleName().toLowerCase(Locale.ROOT);
            throw new InvalidSettingException(
                    "idem.takeover",
                    mode + " of " + where
                            + " is about attempts whose outcome is unknown, and with idem.store=inbox there"
                            + " are none: what was not committed did not happen. Remove the setting, or the attribute"
                            + " takeover of the annotation; work that calls other systems"
                            + " wants idem.store=redis and an inbox");
        }
        if (rows.compareTo(policy.retention()) < 0) {
            throw new InvalidSettingException(
                    "idem.retention",
                    "the application's own inbox keeps rows for " + rows + ", which is shorter than the retention " + policy.retention() + " of " + where
                            + ": with idem.store=inbox the rows are all that is known of earlier work, and duplicates that"
                            + " come later would run again; let the inbox keep them for " + policy.retention()
                            + " or longer, or make the retention shorter");
        }
    }
}
