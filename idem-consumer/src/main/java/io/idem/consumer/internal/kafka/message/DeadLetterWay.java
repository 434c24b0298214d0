package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.kafka.KafkaDeadLetterException;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Way in which a record becomes a dead letter. */
@FunctionalInterface
public interface DeadLetterWay {

    /**
     * Makes a record a dead letter; blocks until that is certain. After a normal return the record may be acknowledged.
     *
     * @throws KafkaDeadLetterException to hand it to the container's own error handler
     * @throws RuntimeException for any other reason: it is not certain, and the record comes again
     */
    void send(ConsumerRecord<?, ?> record, KafkaDeadLetterException why);
}
