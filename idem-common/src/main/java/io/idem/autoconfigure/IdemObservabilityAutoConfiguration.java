package io.idem.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.MonotonicClock;
import io.idem.internal.micrometer.MeteredEvents;
import io.idem.internal.micrometer.MeteredStore;
import io.idem.internal.micrometer.ObservedExecutions;
import io.idem.internal.micrometer.WaitingGauges;
import io.idem.internal.operations.WaitingKeys;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters and observations, for applications that have a registry. Everything backs off for the application's own. */
@AutoConfiguration(
        before = IdemAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, ObservationRegistry.class})
@ConditionalOnBooleanProperty(name = "idem.observability.enabled", matchIfMissing = true)
class IdemObservabilityAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    WaitingKeys idemWaitingKeys(ObjectProvider<ExecutionPolicy> policy) {
        return WaitingKeys.staleAfterTenLeases(
                policy.getIfAvailable(ExecutionPolicy::defaults).lease(), MonotonicClock.SYSTEM);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(ObservationRegistry.class)
    ObservedExecutions idemObservedExecutions(ObservationRegistry registry) {
        return new ObservedExecutions(registry);
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
                ScopeRegistry scopes, MeteredEvents events, WaitingKeys waiting, MeterRegistry registry) {
            return new ScopeMetrics(scopes, events, new WaitingGauges(waiting, registry));
        }

        @Bean
        CacheMeters idemCacheMeters(ObjectProvider<IdempotencyStore> store, MeterRegistry registry) {
            return new CacheMeters(store, registry);
        }

        /** Executions are timed also where nobody observes for other reasons. */
        @Bean
        @ConditionalOnMissingBean({ObservationRegistry.class, ObservedExecutions.class})
        ObservedExecutions idemTimedExecutions(MeterRegistry registry) {
            ObservationRegistry own = ObservationRegistry.create();
            own.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
            return new ObservedExecutions(own);
        }
    }
}
