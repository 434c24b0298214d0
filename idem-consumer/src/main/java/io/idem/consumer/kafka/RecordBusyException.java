package io.idem.consumer.kafka;

import java.time.Duration;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Tells the container "not now": a record must come again, and this is no failure. Thrown by the delivery hook and handled by
 * {@link BusyAwareErrorHandler} alone; no recoverer and no attempt counter of the application ever sees it.
 */
final class RecordBusyException extends RuntimeException {

    private final TopicPartition partition;
    private final Duration pause;

    /**
     * A busy record.
     *
     * @param pause how long its partition is to rest
     */
    RecordBusyException(String message, TopicPartition partition, Duration pause, @Nullable Throwable cause) {
        super(message, cause, true, false);
        this.partition = partition;
        this.pause = pause;
    }

    TopicPartition partition() {
        return partition;
    }

    Duration pause() {
        return pause;
    }

    /** The one that the container wrapped; null if the exception is about something else. */
    static @Nullable RecordBusyException in(@Nullable Throwable thrown) {
        Throwable cause = thrown;
        while (cause != null && !(cause instanceof RecordBusyException)) {
            cause = cause.getCause();
        }
        return (RecordBusyException) cause;
    }
}
