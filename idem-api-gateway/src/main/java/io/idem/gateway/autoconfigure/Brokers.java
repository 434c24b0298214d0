package io.idem.gateway.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.gateway.internal.handoff.KafkaProbe;
import io.idem.gateway.internal.handoff.KafkaPublisher;
import io.idem.gateway.internal.handoff.PublishingLimit;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ProducerFactory;

/** Makes publishers from the application's beans, or names the missing ones. */
final class Brokers {

    private static final Duration LONGEST_PROBE = Duration.ofSeconds(2);

    private Brokers() {}

    static KafkaPublisher kafka(
            @Nullable ProducerFactory<?, ?> factory, Duration confirmTimeout, PublishingLimit limit) {
        if (factory == null) {
            throw new ConfigurationException(
                    "A route of the intake goes to Kafka, and there is no ProducerFactory, or more than one",
                    "Set spring.kafka.bootstrap-servers and leave Spring Boot's ProducerFactory alone, or declare one");
        }
        requireDurable(factory.getConfigurationProperties());
        return new KafkaPublisher(
                new PropagatingKafkaTemplate<>(bytes(factory), producerSettings(confirmTimeout)),
                confirmTimeout,
                limit,
                new KafkaProbe(factory.getConfigurationProperties(), LONGEST_PROBE));
    }

    /** Returns a factory with serializers for text and bytes, whatever types the application's has. */
    @SuppressWarnings("unchecked")
    private static ProducerFactory<String, byte[]> bytes(ProducerFactory<?, ?> factory) {
        return (ProducerFactory<String, byte[]>) factory;
    }

    private static void requireDurable(Map<String, Object> settings) {
        require(settings, ProducerConfig.ACKS_CONFIG, "all", "-1");
        require(settings, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true", "true");
    }

    private static void require(Map<String, Object> settings, String name, String value, String synonym) {
        String set = Objects.toString(settings.get(name), value);
        if (!set.equalsIgnoreCase(value) && !set.equals(synonym)) {
            throw new ConfigurationException(
                    "The Kafka producer setting " + name + "=" + set
                            + " would let the intake answer for records that Kafka may still lose",
                    "Remove it from spring.kafka.producer, or set it to " + value);
        }
    }

    /**
     * Returns settings under which no step takes longer than the client waits. Without lingering, because every request
     * waits for its record; records of concurrent requests share a batch all the same.
     */
    private static Map<String, Object> producerSettings(Duration confirmTimeout) {
        int millis = Math.toIntExact(confirmTimeout.toMillis());
        Map<String, Object> settings = new HashMap<>();
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(1, millis / 2));
        return settings;
    }
}
