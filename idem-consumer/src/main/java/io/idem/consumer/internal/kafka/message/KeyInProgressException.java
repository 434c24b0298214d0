package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.internal.outage.StoreOutage;
import io.idem.internal.Causes;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Signal to the container that the key of a Kafka record is in progress or the store is silent: the record must come
 * again, and has not failed. Thrown by the delivery hook and handled by {@link
 * io.idem.consumer.internal.kafka.container.InProgressErrorHandler InProgressErrorHandler} alone; no recoverer and no
 * attempt counter of the application ever sees it.
 */
public final class KeyInProgressException extends RuntimeException {

    private final TopicPartition partition;
    private final Duration pause;
    private final @Nullable StoreOutage outage;

    /**
     * Signals a Kafka record that is to come again.
     *
     * @param pause how long its partition is paused
     * @param outage at whose end it is to come instead
     */
    public KeyInProgressException(
            String message,
            TopicPartition partition,
            Duration pause,
            @Nullable Throwable cause,
            @Nullable StoreOutage outage) {
        super(message, cause, true, false);
        this.partition = partition;
        this.pause = pause;
        this.outage = outage;
    }

    TopicPartition partition() {
        return partition;
    }

    public Duration pause() {
        return pause;
    }

    /** The outage for which the record waits; empty if it waits for its own pause. */
    Optional<StoreOutage> outage() {
        return Optional.ofNullable(outage);
    }

    /** Returns the exception that the container wrapped; null if the thrown one has another cause. */
    public static @Nullable KeyInProgressException in(@Nullable Throwable thrown) {
        return Causes.find(thrown, KeyInProgressException.class);
    }
}
