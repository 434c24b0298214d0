package io.idem.consumer.internal.kafka.message;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Ends the container's own handling of an asynchronous failure: the consumer was sought back, so the record will come again. */
public final class RecordComesAgainException extends RuntimeException {

    public RecordComesAgainException(ConsumerRecord<?, ?> record, Throwable cause) {
        super(
                "not skipped: the consumer went back to " + record.topic() + "-" + record.partition() + "@"
                        + record.offset() + ", and the record comes again",
                cause,
                true,
                false);
    }
}
