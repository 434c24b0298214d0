package io.idem.autoconfigure;

import io.idem.cache.CachingIdempotencyStore;
import io.idem.internal.spring.ConditionalOnSwitch;
import io.idem.internal.spring.InvalidSettingException;
import io.idem.spi.IdempotencyStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/** Auto-configuration of a near cache in front of the application's store, but not of the store that guards nothing. */
@AutoConfiguration(before = IdemAutoConfiguration.class)
@ConditionalOnSwitch(value = "idem.cache.enabled", byDefault = false)
@EnableConfigurationProperties({IdemProperties.class, IdemCacheProperties.class})
class IdemCacheAutoConfiguration {

    private static final String CAFFEINE = "com.github.benmanes.caffeine.cache.Caffeine";

    @Bean
    @ConditionalOnSwitch("idem.enabled")
    static CacheInFront idemCacheInFront(
            ObjectProvider<IdemCacheProperties> cache, ObjectProvider<IdemProperties> engine) {
        if (!ClassUtils.isPresent(CAFFEINE, ClassUtils.getDefaultClassLoader())) {
            throw new InvalidSettingException(
                    "idem.cache.enabled", "needs com.github.ben-manes.caffeine:caffeine on the class path");
        }
        return new CacheInFront(cache, engine);
    }

    /** Replaces the store bean by the cache, so that reopening goes through the cache too. */
    record CacheInFront(ObjectProvider<IdemCacheProperties> cache, ObjectProvider<IdemProperties> engine)
            implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            boolean settles = !(bean instanceof CachingIdempotencyStore || bean instanceof UnguardedStore);
            if (!(bean instanceof IdempotencyStore store) || !settles) {
                return bean;
            }
            return new CachingIdempotencyStore(
                    store,
                    cache.getObject().settings(engine.getObject().policy().retention()));
        }
    }
}
