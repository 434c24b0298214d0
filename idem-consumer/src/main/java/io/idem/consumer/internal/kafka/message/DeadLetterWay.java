package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.kafka.KafkaDeadLetterException;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** How a record becomes a dead letter. */
@FunctionalInterface
public interface DeadLetterWay {

    /**
     * Makes it one; blocks until that is certain. Returning means that the record may be acknowledged.
     *
     * @throws KafkaDeadLetterException to hand it to the container's own error handler
     * @throws RuntimeException anything else: it is not certain, and the record comes again
     */
    void send(ConsumerRecord<?, ?> record, KafkaDeadLetterException why);
}
