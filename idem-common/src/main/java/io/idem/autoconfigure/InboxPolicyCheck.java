package io.idem.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.Inbox;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.TakeoverPolicy;
import io.idem.engine.IdempotentExecutor;
import io.idem.operations.ScopeRegistry;
import java.time.Duration;
import java.util.Locale;
import org.springframework.context.SmartLifecycle;

/**
 * Refuses policies that the rows of an inbox cannot keep where they are the only store. Runs when all participants are
 * registered, and before any listener container starts.
 */
final class InboxPolicyCheck implements SmartLifecycle {

    private final IdempotentExecutor executor;
    private final ScopePolicies policies;
    private final ScopeRegistry registry;
    private volatile boolean running;

    InboxPolicyCheck(IdempotentExecutor executor, ScopePolicies policies, ScopeRegistry registry) {
        this.executor = executor;
        this.policies = policies;
        this.registry = registry;
    }

    @Override
    public void start() {
        executor.inbox().filter(inbox -> inbox.failures().isPresent()).ifPresent(this::check);
        running = true;
    }

    private void check(Inbox inbox) {
        check(inbox.retention(), "idem", policies.all());
        policies.scopes().forEach(scope -> check(inbox.retention(), "idem.scopes." + scope, policies.of(scope)));
        registry.policies().forEach((scope, policy) -> check(inbox.retention(), participant(scope), policy));
    }

    private String participant(Scope scope) {
        return "scope \"" + scope + "\" (" + registry.participants().get(scope.name()) + ")";
    }

    private static void check(Duration rows, String where, ExecutionPolicy policy) {
        TakeoverPolicy takeover = policy.attempts().takeover();
        if (!(takeover instanceof TakeoverPolicy.Rerun)) {
            String mode = takeover.getClass().getSimpleName().toLowerCase(Locale.ROOT);
            throw new InvalidSettingException(
                    "idem.takeover",
                    mode + " of " + where
                            + " is about attempts whose outcome is unknown, and with idem.store=inbox there"
                            + " are none: what was not committed did not happen. Remove it; work that calls other systems"
                            + " wants idem.store=redis and an inbox");
        }
        if (rows.compareTo(policy.retention()) < 0) {
            throw new InvalidSettingException(
                    "idem.jdbc.retention",
                    rows + " is shorter than the retention " + policy.retention() + " of " + where
                            + ": with idem.store=inbox the rows are all that is known of earlier work, and duplicates that"
                            + " come later would run again; set it to " + policy.retention() + " or longer");
        }
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}
