package io.idem.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.operations.ScopeRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.Environment;

/**
 * Warns of settings for scopes that no participant registered, and of short times.
 *
 * @param application contexts below it tell of their refresh here too, and some come before all scopes are registered
 */
record ScopeSettingsCheck(
        ScopePolicies policies, ScopeRegistry registry, Environment environment, ApplicationContext application)
        implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(ScopeSettingsCheck.class);
    private static final String DEFERRALS = "idem.consumer.rabbit.deferral.scopes";
    private static final Duration SHORT_LEASE = Duration.ofSeconds(1);

    @Override
    public void onApplicationEvent(ContextRefreshedEvent started) {
        if (started.getApplicationContext() != application) {
            return;
        }
        warnOfUnknown("idem.scopes", policies.scopes().stream().map(Scope::name));
        BindResult<Map<String, String>> deferrals =
                Binder.get(environment).bind(DEFERRALS, Bindable.mapOf(String.class, String.class));
        warnOfUnknown(DEFERRALS, deferrals.orElse(Map.of()).keySet().stream());
        // The rows of the inbox have a retention of their own.
        boolean inRows = StoreChoice.isInbox(environment);
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

    private void warnOfUnknown(String setting, Stream<String> names) {
        List<String> known = registry.scopes().stream().map(Scope::name).toList();
        names.filter(name -> !known.contains(name))
                .forEach(name -> LOG.warn(
                        "{}.{} is set, but no listener, route or method has that scope; the registered ones are {}."
                                + " The name of a scope with dots is written in brackets, as in [http.shop]",
                        setting,
                        name,
                        known));
    }

    private List<Scope> scopes(Predicate<ExecutionPolicy> which) {
        return registry.scopes().stream()
                .filter(scope -> which.test(registry.policies().getOrDefault(scope, policies.of(scope))))
                .toList();
    }
}
