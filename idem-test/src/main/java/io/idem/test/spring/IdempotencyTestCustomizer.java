package io.idem.test.spring;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * Adds the test's beans before the application's own. A record, since contexts are shared by tests whose customizers are equal.
 *
 * @param brokers whether containers start
 */
record IdempotencyTestCustomizer(boolean brokers) implements ContextCustomizer {

    /** A cache would remember what the store has forgotten between tests. */
    private static final String NO_CACHE = "idem.cache.enabled=false";

    /** Asking an absent Kafka for topics would hold the start up for half a minute. */
    private static final String NO_TOPICS = "spring.kafka.admin.auto-create=false";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
        TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, NO_CACHE);
        add(context, IdempotencyTestConfiguration.class);
        if (!brokers) {
            TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, NO_TOPICS);
            add(context, StoppedContainersConfiguration.class);
        }
    }

    /** By its name, so that no part is loaded that needs what the application has not. */
    private static void add(ConfigurableApplicationContext context, Class<?> configuration) {
        ((BeanDefinitionRegistry) context.getBeanFactory())
                .registerBeanDefinition(configuration.getName(), new RootBeanDefinition(configuration.getName()));
    }
}
