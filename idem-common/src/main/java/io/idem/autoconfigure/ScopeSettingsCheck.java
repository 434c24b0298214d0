package io.idem.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.operations.ScopeRegistry;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Warns of settings for scopes that no participant registered, and of records that are kept for a short time. */
final class ScopeSettingsCheck implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(ScopeSettingsCheck.class);

    private final ScopePolicies policies;
    private final ScopeRegistry registry;

    ScopeSettingsCheck(ScopePolicies policies, ScopeRegistry registry) {
        this.policies = policies;
        this.registry = registry;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent started) {
        for (Scope scope : policies.scopes()) {
            if (!registry.scopes().contains(scope)) {
                LOG.warn(
                        "idem.scopes.{} is set, but no listener, route or method has that scope; the registered ones are {}."
                                + " The name of a scope with dots is written in brackets, as in idem.scopes[http.shop]",
                        scope,
                        registry.scopes());
            }
        }
        List<Scope> brief = registry.scopes().stream().filter(this::isBrief).toList();
        if (!brief.isEmpty()) {
            LOG.warn(
                    "Records of {} are kept for less than an hour, and duplicates that come later run again. A retention without a"
                            + " unit counts milliseconds; write 24h for a day",
                    brief);
        }
    }

    private boolean isBrief(Scope scope) {
        ExecutionPolicy policy = registry.policies().getOrDefault(scope, policies.of(scope));
        return policy.retention().toHours() == 0;
    }
}
