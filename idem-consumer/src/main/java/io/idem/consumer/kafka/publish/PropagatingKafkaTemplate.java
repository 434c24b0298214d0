package io.idem.consumer.kafka.publish;

import io.idem.IdempotencyContext;
import io.idem.OutgoingMessage;
import io.idem.Publications;
import io.idem.consumer.internal.batch.BoundContexts;
import io.idem.consumer.internal.delivery.Probe;
import io.idem.consumer.internal.delivery.Received;
import io.idem.consumer.internal.kafka.message.KafkaMessageHeaders;
import io.idem.consumer.internal.kafka.publish.DurableAcks;
import io.idem.consumer.internal.kafka.publish.KafkaOutgoingTransport;
import io.idem.consumer.internal.kafka.publish.OutgoingRecordCodec;
import io.idem.consumer.internal.kafka.publish.PropagatedRecord;
import io.idem.consumer.internal.kafka.publish.RecordSerialization;
import io.micrometer.observation.Observation;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.RecordBatch;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.SendResult;

/**
 * A template that carries the idempotency key on. Outside idempotent work it is an ordinary {@link KafkaTemplate}.
 * Inside:
 *
 * <ul>
 *   <li>every record gets a key of its own, derived from the publishing work's, and the tenant, unless it carries them
 *       already;
 *   <li>the work counts as done only when Kafka has confirmed its records; refused ones are sent again;
 *   <li>while an inbox transaction is open, records are kept in its row and sent after the commit. Then the returned
 *       future is complete at once, with metadata that has no offset; a record that names no partition goes to the one that
 *       the application's partitioner.class, or Kafka's own partitioner, chooses for its bytes. A template of other brokers than those to
 *       which kept records go refuses that.
 * </ul>
 *
 * <p>Thread-safe. Of the records that the work sends from other threads than the one it was called on, only those with the
 * headers of its own record are recognised.
 */
public class PropagatingKafkaTemplate<K, V> extends KafkaTemplate<K, V> {

    private final RecordSerialization<K, V> serialization;
    private @Nullable ApplicationContext application;

    /**
     * Makes a template.
     *
     * @throws io.idem.consumer.ListenerConfigurationException if the factory's producers use another acks than all
     */
    public PropagatingKafkaTemplate(ProducerFactory<K, V> producerFactory) {
        this(producerFactory, null);
    }

    /**
     * Makes a template with settings that win over those of the factory.
     *
     * @throws io.idem.consumer.ListenerConfigurationException if the producers use another acks than all
     */
    public PropagatingKafkaTemplate(
            ProducerFactory<K, V> producerFactory, @Nullable Map<String, Object> configOverrides) {
        super(producerFactory, configOverrides);
        DurableAcks.require("A PropagatingKafkaTemplate", getProducerFactory().getConfigurationProperties());
        this.serialization = new RecordSerialization<>(getProducerFactory());
    }

    @Override
    public void setApplicationContext(ApplicationContext application) {
        super.setApplicationContext(application);
        this.application = application;
    }

    @Override
    protected CompletableFuture<SendResult<K, V>> doSend(ProducerRecord<K, V> record, Observation observation) {
        if (Probe.endsAt(this)) {
            return new CompletableFuture<>();
        }
        Optional<IdempotencyContext> context = BoundContexts.toPublish(() -> PropagatedRecord.outgoing(record));
        if (context.isEmpty()) {
            return super.doSend(record, observation);
        }
        PropagatedRecord<K, V> propagated = PropagatedRecord.of(record, context.get());
        Publications publications = context.get().publications();
        if (publications.keeping()) {
            return keep(propagated, context.get(), observation);
        }
        publications.requireNoStep();
        CompletableFuture<SendResult<K, V>> confirmation = super.doSend(propagated, observation);
        publications.track(confirmation, () -> send(propagated.copy()));
        Received.published(context.get(), PropagatedRecord.outgoing(propagated));
        return confirmation;
    }

    private CompletableFuture<SendResult<K, V>> keep(
            PropagatedRecord<K, V> record, IdempotencyContext context, Observation observation) {
        KafkaOutgoingTransport.require(application, getProducerFactory());
        context.publications()
                .keep(new OutgoingMessage(
                        KafkaMessageHeaders.TRANSPORT,
                        record.topic(),
                        OutgoingRecordCodec.encode(serialization.of(record))));
        Received.published(context, PropagatedRecord.outgoing(record));
        observation.stop();
        return CompletableFuture.completedFuture(new SendResult<>(record, notSentYet(record)));
    }

    private static RecordMetadata notSentYet(ProducerRecord<?, ?> record) {
        Integer partition = record.partition();
        return new RecordMetadata(
                new TopicPartition(record.topic(), partition == null ? RecordMetadata.UNKNOWN_PARTITION : partition),
                -1,
                0,
                RecordBatch.NO_TIMESTAMP,
                -1,
                -1);
    }
}
