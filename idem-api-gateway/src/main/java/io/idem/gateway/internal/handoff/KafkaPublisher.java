package io.idem.gateway.internal.handoff;

import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.idem.gateway.Destination;
import io.idem.gateway.IntakeRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.kafka.KafkaException;

/**
 * Sends records to Kafka and waits until all in-sync replicas have them. Owns template and probe. Thread-safe.
 *
 * @param confirmTimeout the longest wait
 */
public record KafkaPublisher(
        PropagatingKafkaTemplate<String, byte[]> template,
        Duration confirmTimeout,
        PublishingLimit limit,
        KafkaProbe probe)
        implements AutoCloseable {

    private static final String CONTENT_TYPE = "content-type";

    /** Throws if no broker answers in time. */
    public void check() throws Exception {
        probe.check();
    }

    /** Returns when Kafka has confirmed the record. */
    public void publish(Destination.Topic to, IntakeRequest request) {
        BrokerConfirmation confirmation = new BrokerConfirmation("topic \"" + to.name() + "\"", confirmTimeout);
        limit.publish(confirmation, () -> publish(to, request, confirmation));
    }

    private void publish(Destination.Topic to, IntakeRequest request, BrokerConfirmation confirmation) {
        ProducerRecord<String, byte[]> record =
                new ProducerRecord<>(to.name(), to.partitionKey().apply(request), request.body());
        record.headers().add(CONTENT_TYPE, request.contentType().getBytes(StandardCharsets.UTF_8));
        try {
            var unused = confirmation.await(template.send(record));
        } catch (KafkaException | org.apache.kafka.common.KafkaException notSent) {
            throw confirmation.failed("could not be sent", notSent);
        }
    }

    @Override
    public void close() {
        probe.close();
        template.destroy();
    }
}
