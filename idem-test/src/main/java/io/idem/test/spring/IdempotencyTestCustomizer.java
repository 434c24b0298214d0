package io.idem.test.spring;

import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * Adds the test's beans before the application's own. A record, since tests with equal customizers share a context.
 *
 * @param brokers whether listener containers start
 */
record IdempotencyTestCustomizer(boolean brokers) implements ContextCustomizer {

    /** Switches the cache off, which would keep answers of records that were removed between tests. */
    private static final String NO_CACHE = "idem.cache.enabled=false";

    /** Overrides the application's choice, because the records are in memory: {@code inbox} would refuse that store. */
    private static final String NO_STORE = "idem.store=redis";

    /** Keeps the start from waiting half a minute for topics of an absent Kafka. */
    private static final String NO_TOPICS = "spring.kafka.admin.auto-create=false";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
        TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, NO_CACHE, NO_STORE);
        add(context, IdempotencyTestConfiguration.class);
        if (!brokers) {
            TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, NO_TOPICS);
            add(context, StoppedContainersConfiguration.class);
        }
    }

    /** Adds a configuration by its name, so that no class is loaded whose dependencies the application lacks. */
    private static void add(ConfigurableApplicationContext context, Class<?> configuration) {
        ((BeanDefinitionRegistry) context.getBeanFactory())
                .registerBeanDefinition(configuration.getName(), new RootBeanDefinition(configuration.getName()));
    }
}
