package io.idem.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.ScopePolicies;
import io.idem.TakeoverPolicy;
import io.idem.engine.IdempotentExecutor;
import io.idem.internal.spring.BeforeContainers;
import io.idem.internal.spring.ConditionalOnSwitch;
import io.idem.internal.spring.InvalidSettingException;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.util.ClassUtils;

/**
 * The checks of {@code idem.store=inbox}. Refuses to start an application whose executor does not use the rows of the inbox,
 * or whose policies the inbox cannot follow (takeovers, retention). Runs when all participants are registered, and before
 * any listener container starts.
 */
@ConditionalOnProperty(name = StoreChoice.PROPERTY, havingValue = StoreChoice.INBOX)
@ConditionalOnSwitch("idem.enabled")
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

    /**
     * Returns the inbox that is the store, for the executor of idem.
     *
     * @throws InvalidSettingException if there is no such inbox
     */
    static Inbox required(@Nullable Inbox inbox, IdempotencyStore store) {
        return required(
                inbox,
                store,
                found -> inbox == null
                        ? "the application has no inbox; add idem-jdbc, or remove idem.store=inbox"
                        : "the application's own inbox, " + found
                                + "; return new JdbcInbox(...).asStore(store) from that"
                                + " bean, remove it, or remove idem.store=inbox");
    }

    private static Inbox required(@Nullable Inbox inbox, IdempotencyStore store, UnaryOperator<String> complaint) {
        if (!(store instanceof Inbox.Failures)) {
            throw refused("the application has a store of its own, " + name(store)
                    + ", which does not read the rows of the inbox; remove that bean, keep post-processors from wrapping"
                    + " the bean idemStore, or remove idem.store=inbox");
        }
        if (inbox == null || inbox.failures().isEmpty()) {
            throw refused(complaint.apply(inbox == null ? "no inbox" : name(inbox) + ", is not a store"));
        }
        return inbox;
    }

    private static InvalidSettingException refused(String why) {
        return new InvalidSettingException(StoreChoice.PROPERTY, "inbox leaves no work to another store, but " + why);
    }

    private static String name(Object bean) {
        return ClassUtils.getUserClass(bean).getSimpleName();
    }

    /** The executor may be the application's own, and record its work elsewhere than in the rows that the store reads. */
    @Override
    protected void prepare() {
        Inbox inbox = required(
                executor.inbox().orElse(null),
                store,
                found -> "the application's own IdempotentExecutor has " + found
                        + "; build it by IdempotentExecutor.on(store).inbox(inbox) with the beans of types IdempotencyStore"
                        + " and Inbox, remove that bean, or remove idem.store=inbox");
        Duration rows = inbox.retention();
        check(rows, "idem", policies.all());
        policies.scopes().forEach(scope -> check(rows, "idem.scopes." + scope, policies.of(scope)));
        Map<String, String> participants = registry.participants();
        registry.policies()
                .forEach((scope, policy) -> check(
                        rows, "scope \"" + scope + "\" (" + participants.get(scope.name()) + ")", policy));
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
