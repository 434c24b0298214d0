package io.idem.consumer.autoconfigure;

import io.idem.consumer.internal.guard.ListenerRegistrar;
import io.idem.consumer.kafka.deadletter.KafkaDeadLetterWriter;
import io.idem.internal.spring.ConditionalOnSwitch;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.kafka.core.KafkaOperations;

/** Meters of deliveries, for applications that have a registry. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSwitch("idem.observability.enabled")
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

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(KafkaOperations.class)
    static class Kafka {

        @Bean
        MeterBinder idemRecordsBehindDeadLetters(ObjectProvider<KafkaDeadLetterWriter> letters) {
            return registry -> Gauge.builder(
                            "idem.consumer.dead.letters.behind",
                            letters,
                            all -> all.stream()
                                    .mapToLong(KafkaDeadLetterWriter::behind)
                                    .sum())
                    .description("records behind dead letters that are too large to be published")
                    .register(registry);
        }
    }

    /** Registers the meters of every listener once all of them are known. */
    record ListenerMetrics(MeteredDeliveries deliveries, ObjectProvider<ListenerRegistrar> registrar)
            implements ApplicationListener<ContextRefreshedEvent> {

        @Override
        public void onApplicationEvent(ContextRefreshedEvent started) {
            registrar.ifAvailable(found -> found.registered().forEach(deliveries::declare));
        }
    }
}
