package io.idem.consumer;

/** Policy for messages that carry no key. Each case is logged and published to the {@link ConsumerEventListener}s. */
public enum MissingKeyPolicy {
    /**
     * The message fails with a {@link MissingKeyException}, like any poison message: the container's retries and
     * recoverer act. If none takes it over, it is a dead letter, also where the container would requeue failed
     * messages.
     */
    DEAD_LETTER,
    /** The message runs without protection: every redelivery runs again. */
    RUN_UNGUARDED,
    /** The message is acknowledged and never runs. */
    ACKNOWLEDGE
}
