package io.idem.autoconfigure;

import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.operations.ScopeRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Warns of settings for scopes that no participant registered, because a misspelt name has no effect. */
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
    }
}
