package io.idem.consumer.internal.kafka.publish;

import io.idem.OutgoingMessage;
import io.idem.consumer.internal.kafka.message.KafkaMessageHeaders;
import io.idem.spi.OutgoingTransport;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.kafka.core.ProducerFactory;

/**
 * Publishes records that an inbox row kept, with a producer of its own: the application's settings, but bytes as they
 * are, acks=all and no transaction. Thread-safe; blocks while the broker's metadata is unknown, but for less than a
 * second, whatever {@code max.block.ms} says: a topic that does not exist must not hold up others.
 */
public final class KafkaOutgoingTransport implements OutgoingTransport, DisposableBean {

    /** Shorter than the second in which a relay expects messages to be taken over. */
    private static final Map<String, Object> OWN = Map.of(ProducerConfig.MAX_BLOCK_MS_CONFIG, 900);

    private final BytesProducer producer;

    /**
     * Makes a transport.
     *
     * @param application whose settings name brokers, security and timeouts
     */
    public KafkaOutgoingTransport(ProducerFactory<?, ?> application) {
        this.producer = new BytesProducer(application, "-inbox", OWN);
    }

    @Override
    public String name() {
        return KafkaMessageHeaders.TRANSPORT;
    }

    @Override
    public CompletionStage<?> publish(OutgoingMessage message) {
        try {
            return producer.send(OutgoingRecordCodec.decode(message.content()));
        } catch (RuntimeException unreadable) {
            return CompletableFuture.failedFuture(unreadable);
        }
    }

    @Override
    public void destroy() {
        producer.close();
    }
}
