package io.idem.consumer.autoconfigure;

import io.idem.consumer.internal.guard.ListenerRegistrar;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters of deliveries, for applications that have a registry. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "idem.observability.enabled", matchIfMissing = true)
class IdemConsumerMetersAutoConfiguration {

    @Bean
    @ConditionalOnBean(MeterRegistry.class)
    @ConditionalOnMissingBean
    MeteredDeliveries idemMeteredDeliveries(MeterRegistry registry) {
        return new MeteredDeliveries(registry);
    }

    @Bean
    @ConditionalOnBean(MeteredDeliveries.class)
    ListenerMetrics idemListenerMetrics(MeteredDeliveries deliveries, ObjectProvider<ListenerRegistrar> registrar) {
        return new ListenerMetrics(deliveries, registrar);
    }
}
