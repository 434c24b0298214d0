package io.idem.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.ScopePolicies;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.env.Environment;

/** Warns of settings that have no effect: idem does not know them, or the application has a policy bean of its own in their place. */
record PolicyBeansCheck(ListableBeanFactory beans, Environment environment) implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyBeansCheck.class);

    private static final List<String> OF_ALL_SCOPES = List.of(
            "idem.lease",
            "idem.retention",
            "idem.max-attempts",
            "idem.reject-on",
            "idem.retry-on",
            "idem.backoff",
            "idem.takeover",
            "idem.reconciler",
            "idem.interrupt-on-lost-lease");

    @Override
    public void afterSingletonsInstantiated() {
        UnknownSettings.warn(environment);
        boolean ownPolicies = !beans.containsBean(IdemAutoConfiguration.SCOPE_POLICIES);
        if (ownPolicies) {
            warn(ScopePolicies.class, Stream.concat(OF_ALL_SCOPES.stream(), Stream.of("idem.scopes")));
        } else if (!beans.containsBean(IdemAutoConfiguration.EXECUTION_POLICY)) {
            warn(ExecutionPolicy.class, OF_ALL_SCOPES.stream());
        }
    }

    private void warn(Class<?> bean, Stream<String> settings) {
        List<String> set = settings.filter(setting -> RetiredSettings.isSet(environment, setting))
                .toList();
        if (!set.isEmpty()) {
            LOG.warn(
                    "The application has a bean of its own of type {}, and so {} has no effect on attempts. Remove the setting, or"
                            + " take it into the bean",
                    bean.getSimpleName(),
                    set);
        }
    }
}
