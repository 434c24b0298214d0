package io.idem.test.kafka;

import io.idem.consumer.kafka.KafkaDeadLetterException;
import io.idem.test.Delivered;
import io.idem.test.DeliveryEnd;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListenerContainer;

/** The listener that a container calls for each record; idem's own hook is the outermost. */
record StoppedListener(MessageListenerContainer container) {

    Delivered deliver(ConsumerRecord<?, ?> record) {
        AtomicBoolean acknowledged = new AtomicBoolean();
        try {
            listener().onMessage(copy(record), manual() ? () -> acknowledged.set(true) : null, null);
        } catch (RuntimeException failure) {
            return Delivered.with(
                    KafkaDeadLetterException.isCauseOf(failure) ? DeliveryEnd.DEAD_LETTERED : DeliveryEnd.REDELIVERED,
                    failure);
        }
        boolean done = !manual() || acknowledged.get();
        return Delivered.with(done ? DeliveryEnd.ACKNOWLEDGED : DeliveryEnd.REDELIVERED);
    }

    @SuppressWarnings("unchecked")
    private AcknowledgingConsumerAwareMessageListener<Object, Object> listener() {
        Object listener = container.getContainerProperties().getMessageListener();
        if (listener instanceof AcknowledgingConsumerAwareMessageListener<?, ?> single) {
            return (AcknowledgingConsumerAwareMessageListener<Object, Object>) single;
        }
        throw new IllegalArgumentException("Listener \"" + container.getListenerId()
                + "\" does not take single records; test it with a broker, for example spring-kafka-test's");
    }

    private boolean manual() {
        ContainerProperties.AckMode mode = container.getContainerProperties().getAckMode();
        return mode == ContainerProperties.AckMode.MANUAL || mode == ContainerProperties.AckMode.MANUAL_IMMEDIATE;
    }

    private static ConsumerRecord<Object, Object> copy(ConsumerRecord<?, ?> record) {
        return new ConsumerRecord<>(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.timestampType(),
                record.serializedKeySize(),
                record.serializedValueSize(),
                record.key(),
                record.value(),
                new RecordHeaders(record.headers().toArray()),
                record.leaderEpoch());
    }
}
