package io.idem.autoconfigure;

import io.idem.MonotonicClock;
import io.idem.internal.spring.ConditionalOnSwitch;
import io.idem.spi.IdempotencyStore;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;

/**
 * Auto-configuration of the kill switch: with {@code idem.enabled=false} a store that guards nothing takes precedence
 * over every other store, also over one of the application.
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.HIGHEST_PRECEDENCE)
@ConditionalOnSwitch(value = "idem.enabled", is = false)
class IdemKillSwitchAutoConfiguration {

    static final String STORE = "idemUnguardedStore";

    @Bean(STORE)
    @Primary
    UnguardedStore idemUnguardedStore() {
        return new UnguardedStore(MonotonicClock.SYSTEM);
    }

    /** Makes the unguarded store the primary one, whether or not the application has made its own store primary. */
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
