package io.idem.consumer.kafka;

import io.idem.spi.OutgoingMessage;
import io.idem.spi.OutgoingTransport;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

/**
 * Publishes records that an inbox row kept, with a producer of its own: the application's settings, but bytes as they are,
 * acks=all and no transaction. Thread-safe; blocks while the broker's metadata is unknown, at most {@code max.block.ms}.
 */
public final class KafkaOutgoingTransport implements OutgoingTransport, DisposableBean {

    private final DefaultKafkaProducerFactory<byte[], byte[]> factory;
    private final KafkaTemplate<byte[], byte[]> template;

    /**
     * A transport.
     *
     * @param application whose settings name brokers, security and timeouts
     */
    public KafkaOutgoingTransport(ProducerFactory<?, ?> application) {
        this.factory = new DefaultKafkaProducerFactory<>(
                settings(application.getConfigurationProperties()),
                new ByteArraySerializer(),
                new ByteArraySerializer(),
                false);
        this.template = new KafkaTemplate<>(factory);
    }

    private static Map<String, Object> settings(Map<String, Object> application) {
        Map<String, Object> settings = new HashMap<>(application);
        settings.remove(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG);
        settings.remove(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);
        settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
        // Its producers' names must differ from the application's, or their metrics collide.
        settings.computeIfPresent(ProducerConfig.CLIENT_ID_CONFIG, (name, id) -> id + "-inbox");
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        return settings;
    }

    @Override
    public String name() {
        return KafkaMessageHeaders.TRANSPORT;
    }

    @Override
    public CompletionStage<?> publish(OutgoingMessage message) {
        try {
            return template.send(OutgoingRecordCodec.decode(message.content()));
        } catch (RuntimeException notHandedOver) {
            return CompletableFuture.failedFuture(notHandedOver);
        }
    }

    @Override
    public void destroy() {
        factory.destroy();
    }
}
