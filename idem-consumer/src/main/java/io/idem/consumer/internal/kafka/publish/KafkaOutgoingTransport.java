package io.idem.consumer.internal.kafka.publish;

import io.idem.OutgoingMessage;
import io.idem.RefusedWorkException;
import io.idem.consumer.internal.kafka.message.ConsumerConfigs;
import io.idem.consumer.internal.kafka.message.KafkaMessageHeaders;
import io.idem.spi.OutgoingTransport;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
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

    private final ProducerFactory<?, ?> application;
    private final BytesProducer producer;

    /**
     * Makes a transport.
     *
     * @param application whose settings name brokers, security and timeouts
     */
    public KafkaOutgoingTransport(ProducerFactory<?, ?> application) {
        this.application = application;
        this.producer = new BytesProducer(application, "-inbox", OWN);
    }

    /**
     * Checks that a record of a template can be kept: a row does not name the cluster, so it goes to that of the
     * application's one transport.
     *
     * @param application null for a template that is no bean, which is not checked
     * @param template the factory of the template
     * @throws RefusedWorkException if that has other brokers, or there is none
     */
    public static void require(@Nullable BeanFactory application, ProducerFactory<?, ?> template) {
        if (application != null
                && application.getBeanProvider(OutgoingTransport.class).stream()
                        .filter(transport -> transport.name().equals(KafkaMessageHeaders.TRANSPORT))
                        .allMatch(transport -> transport instanceof KafkaOutgoingTransport own
                                && ConsumerConfigs.otherBrokers(
                                        own.application.getConfigurationProperties(),
                                        template.getConfigurationProperties()))) {
            throw new RefusedWorkException(
                    "A record of an inbox transaction cannot be kept, because the relay has no producer for the brokers of"
                            + " its KafkaTemplate. Kept records go to those of the only or primary ProducerFactory: make that"
                            + " of the template @Primary, or send the record to a topic there, from which a listener"
                            + " without inbox sends it on");
        }
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
