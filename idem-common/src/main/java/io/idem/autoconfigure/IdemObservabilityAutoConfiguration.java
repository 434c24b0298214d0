package io.idem.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.MonotonicClock;
import io.idem.Scope;
import io.idem.cache.CachingIdempotencyStore;
import io.idem.internal.micrometer.DeferredKeyGauges;
import io.idem.internal.micrometer.MeteredEvents;
import io.idem.internal.micrometer.MeteredStore;
import io.idem.internal.operations.DeferredKeys;
import io.idem.internal.spring.ConditionalOnSwitch;
import io.idem.operations.ScopeRegistry;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.ToDoubleFunction;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Auto-configuration of meters and observations, for applications with a registry. Every part backs off for the
 * application's own bean.
 */
@AutoConfiguration(
        before = IdemAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, ObservationRegistry.class})
@ConditionalOnSwitch("idem.observability.enabled")
class IdemObservabilityAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DeferredKeys idemDeferredKeys(ObjectProvider<ExecutionPolicy> policy) {
        return DeferredKeys.staleAfterTenLeases(
                policy.getIfAvailable(ExecutionPolicy::defaults).lease(), MonotonicClock.SYSTEM);
    }

    /** Executions are timed even if the application has no observation registry. */
    @Bean
    ExecutionObservations idemExecutionObservations(
            ObjectProvider<ObservationRegistry> application, ObjectProvider<MeterRegistry> meters) {
        return new ExecutionObservations(application.getIfAvailable(() -> timedBy(meters)));
    }

    private static ObservationRegistry timedBy(ObjectProvider<MeterRegistry> meters) {
        ObservationRegistry own = ObservationRegistry.create();
        meters.ifAvailable(
                meter -> own.observationConfig().observationHandler(new DefaultMeterObservationHandler(meter)));
        return own;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(MeterRegistry.class)
    static class Meters {

        @Bean
        @ConditionalOnMissingBean
        MeteredEvents idemMeteredEvents(MeterRegistry registry) {
            return new MeteredEvents(registry);
        }

        @Bean
        @ConditionalOnMissingBean
        StoreInstrument idemStoreInstrument(MeterRegistry registry) {
            return store -> new MeteredStore(store, registry);
        }

        @Bean
        ScopeMetrics idemScopeMetrics(
                ScopeRegistry scopes, MeteredEvents events, DeferredKeys waiting, MeterRegistry registry) {
            return new ScopeMetrics(scopes, events, new DeferredKeyGauges(waiting, registry));
        }

        /** Registers the meters of the near cache, if there is one. */
        @Bean
        SmartInitializingSingleton idemCacheMeters(ObjectProvider<IdempotencyStore> store, MeterRegistry registry) {
            return () -> {
                if (store.getIfAvailable() instanceof CachingIdempotencyStore cache) {
                    register(registry, cache, "hit", CachingIdempotencyStore::hits);
                    register(registry, cache, "miss", CachingIdempotencyStore::misses);
                }
            };
        }

        private static void register(
                MeterRegistry registry,
                CachingIdempotencyStore cache,
                String result,
                ToDoubleFunction<CachingIdempotencyStore> count) {
            FunctionCounter.builder("idem.cache.requests", cache, count)
                    .description("Requests to the near cache")
                    .tag("result", result)
                    .register(registry);
        }

        @Bean
        EvictionMeter idemEvictionMeter(MeterRegistry registry) {
            return redis -> FunctionCounter.builder("idem.redis.evicted", redis, RedisIdempotencyStore::evictedKeys)
                    .description("Keys that Redis has evicted, with the records among them")
                    .register(registry);
        }
    }

    /** Registers the meters of all scopes once they are known. */
    record ScopeMetrics(ScopeRegistry scopes, MeteredEvents events, DeferredKeyGauges waiting)
            implements ApplicationListener<ContextRefreshedEvent> {

        @Override
        public void onApplicationEvent(ContextRefreshedEvent started) {
            for (Scope scope : scopes.scopes()) {
                events.declare(scope);
                waiting.declare(scope);
            }
        }
    }
}
