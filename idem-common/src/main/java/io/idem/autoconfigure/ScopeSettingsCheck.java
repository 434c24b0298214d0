package io.idem.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.operations.ScopeRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Warns of settings for scopes that no participant registered, and of short times. */
final class ScopeSettingsCheck implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(ScopeSettingsCheck.class);
    private static final Duration SHORT_LEASE = Duration.ofSeconds(1);

    private final ScopePolicies policies;
    private final ScopeRegistry registry;
    private final boolean inRows;

    /** Set after the first check. A management context on a port of its own is refreshed too, and notifies its parent. */
    private final AtomicBoolean checked = new AtomicBoolean();

    /** @param inRows whether the records are the rows of the inbox, which have a retention of their own */
    ScopeSettingsCheck(ScopePolicies policies, ScopeRegistry registry, boolean inRows) {
        this.policies = policies;
        this.registry = registry;
        this.inRows = inRows;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent started) {
        if (!checked.compareAndSet(false, true)) {
            return;
        }
        warnOfUnknown();
        List<Scope> brief = scopes(policy -> !inRows && policy.retention().toHours() == 0);
        if (!brief.isEmpty()) {
            LOG.warn(
                    "Records of {} are kept for less than an hour, and duplicates that come later run again. A retention without a"
                            + " unit counts milliseconds; write 24h for a day",
                    brief);
        }
        List<Scope> hasty = scopes(policy -> policy.lease().compareTo(SHORT_LEASE) < 0);
        if (!hasty.isEmpty()) {
            LOG.warn(
                    "The lease of {} is shorter than a second: a pause of the process lets another owner begin beside it. A lease"
                            + " without a unit counts milliseconds; write 30s for half a minute",
                    hasty);
        }
    }

    private void warnOfUnknown() {
        for (Scope scope : policies.scopes()) {
            if (!registry.scopes().contains(scope)) {
                LOG.warn(
                        "idem.scopes.{} is set, but no listener, route or method has that scope; the registered ones are {}."
                                + " The name of a scope with dots is written in brackets, as in idem.scopes[http.shop]",
                        scope,
                        registry.scopes());
            }
        }
    }

    private List<Scope> scopes(Predicate<ExecutionPolicy> which) {
        return registry.scopes().stream()
                .filter(scope -> which.test(registry.policies().getOrDefault(scope, policies.of(scope))))
                .toList();
    }
}
