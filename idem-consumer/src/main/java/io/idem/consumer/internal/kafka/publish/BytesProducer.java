package io.idem.consumer.internal.kafka.publish;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

/**
 * Sends records as the bytes that they are: with the application's settings, but its own serializers, acks=all and no
 * transaction. Its producer is made at the first record. Thread-safe; blocks while the broker's metadata is unknown, at
 * most {@code max.block.ms}.
 */
public final class BytesProducer implements AutoCloseable {

    private final DefaultKafkaProducerFactory<byte[], byte[]> factory;
    private final KafkaTemplate<byte[], byte[]> template;

    /**
     * Makes a sender whose producer is made at the first record.
     *
     * @param application whose settings name brokers, security and timeouts
     * @param suffix of the client id: producers of one name would collide in metrics
     * @param own settings in place of the application's
     */
    public BytesProducer(ProducerFactory<?, ?> application, String suffix, Map<String, Object> own) {
        this.factory = new DefaultKafkaProducerFactory<>(
                settings(application.getConfigurationProperties(), suffix, own),
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                false);
        this.template = new KafkaTemplate<>(factory);
    }

    private static Map<String, Object> settings(
            Map<String, Object> application, String suffix, Map<String, Object> own) {
        Map<String, Object> settings = new HashMap<>(application);
        settings.remove(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG);
        settings.remove(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);
        settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
        settings.computeIfPresent(ProducerConfig.CLIENT_ID_CONFIG, (name, id) -> id + suffix);
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        settings.putAll(own);
        return settings;
    }

    /** Sends a record. The stage completes when the broker has confirmed it; never throws. */
    CompletableFuture<?> send(ProducerRecord<byte[], byte[]> record) {
        try {
            return template.send(record);
        } catch (RuntimeException notHandedOver) {
            return CompletableFuture.failedFuture(notHandedOver);
        }
    }

    /**
     * Sends a record and waits for the confirm of the broker.
     *
     * @throws KafkaException if the broker has not confirmed it in time; it may arrive all the same
     */
    public void sendAndWait(ProducerRecord<byte[], byte[]> record, Duration timeout) {
        try {
            send(record).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException refused) {
            throw new KafkaException("Topic \"" + record.topic() + "\" did not take the record", refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new KafkaException(
                    "Interrupted before topic \"" + record.topic() + "\" took the record", interrupted);
        }
    }

    @Override
    public void close() {
        factory.destroy();
    }
}
