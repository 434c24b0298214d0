package io.idem.autoconfigure;

import io.idem.Inbox;
import io.idem.internal.operations.StoreCheck;
import io.idem.spi.IdempotencyStore;
import java.util.Arrays;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The contributor {@code idem} to the application's health. Liveness does not know it: a restart brings no store back. */
@AutoConfiguration(after = {IdemAutoConfiguration.class, IdemRedisAutoConfiguration.class})
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
class IdemHealthAutoConfiguration {

    /** The name of its setting, {@code management.health.idem.enabled}, stands in the additional metadata. */
    @Bean
    @ConditionalOnEnabledHealthIndicator("idem")
    @ConditionalOnBean(StoreCheck.class)
    @ConditionalOnMissingBean(name = "idemHealthIndicator")
    HealthIndicator idemHealthIndicator(
            IdempotencyStore store, StoreCheck check, ConfigurableListableBeanFactory beans) {
        return new IdemHealth(store, check, () -> inUse(beans));
    }

    /** Inboxes that somebody has asked for. One that nobody uses may have no table, and must not be made for a look at the health. */
    private static Stream<Inbox> inUse(ConfigurableListableBeanFactory beans) {
        return Arrays.stream(beans.getBeanNamesForType(Inbox.class, false, false))
                .filter(beans::containsSingleton)
                .map(name -> beans.getBean(name, Inbox.class));
    }
}
