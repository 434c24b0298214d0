package io.idem.consumer.internal.kafka.container;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * Failures of one asynchronous listener, which came after its method had returned. The container hands each of them to
 * the error handler alone, with its one record. A container of spring-kafka 4.1.1 that learns there that a record is in
 * retry skips everything behind that record until it fails for good, also once it has succeeded; so it is not told, and
 * the record comes again with all records behind it, of which those that are done are duplicates. Thread-safe.
 */
final class AsyncFailures {

    /** Weakly referenced: an application's listener error handler may swallow a failure. */
    private final Set<Throwable> known = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /** Adds a failure that the container will get, perhaps wrapped. */
    void add(Throwable failure) {
        known.add(failure);
    }

    /** Returns whether an exception is about one of them. */
    boolean contain(@Nullable Throwable thrown) {
        Throwable cause = thrown;
        while (cause != null && !known.contains(cause)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    /**
     * Handles a failure on the consumer's thread. A record that the consumer will reach anyway is not counted as
     * failed: it comes again.
     */
    void handle(
            CommonErrorHandler own,
            Exception thrown,
            ConsumerRecord<?, ?> record,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        if (consumer.position(partition) <= record.offset()) {
            throw new RecordComesAgainException(record, thrown);
        }
        try {
            own.handleRemaining(thrown, List.of(record), consumer, container);
        } catch (RuntimeException soughtBack) {
            throw new RecordComesAgainException(record, soughtBack);
        }
    }

    /**
     * Ends the container's own handling of an asynchronous failure: the consumer was sought back, so the record will
     * come again.
     */
    private static final class RecordComesAgainException extends RuntimeException {

        private static final long serialVersionUID = 1;

        RecordComesAgainException(ConsumerRecord<?, ?> record, Throwable cause) {
            super(
                    "not skipped: the consumer went back to " + record.topic() + "-" + record.partition() + "@"
                            + record.offset() + ", and the record comes again",
                    cause,
                    true,
                    false);
        }
    }
}
