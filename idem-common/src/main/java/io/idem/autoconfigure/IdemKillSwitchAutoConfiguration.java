package io.idem.autoconfigure;

import io.idem.MonotonicClock;
import io.idem.spi.IdempotencyStore;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;

/**
 * The kill switch: with {@code idem.enabled=false} a store that guards nothing comes before every other one, those of
 * auto-configurations as well as the application's own.
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.HIGHEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "idem.enabled", havingValue = false)
class IdemKillSwitchAutoConfiguration {

    static final String STORE = "idemUnguardedStore";

    @Bean(STORE)
    @Primary
    UnguardedStore idemUnguardedStore() {
        return new UnguardedStore(MonotonicClock.SYSTEM);
    }

    /** A switch must not depend on whether the application has made its own store the primary one. */
    @Bean
    static BeanFactoryPostProcessor idemUnguardedStoreFirst() {
        return beans -> {
            for (String name : beans.getBeanNamesForType(IdempotencyStore.class, true, false)) {
                if (!name.equals(STORE) && beans.containsBeanDefinition(name)) {
                    beans.getBeanDefinition(name).setPrimary(false);
                }
            }
        };
    }
}
