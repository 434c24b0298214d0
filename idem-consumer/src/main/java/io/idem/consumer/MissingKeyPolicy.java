package io.idem.consumer;

/** What happens to a message that carries no key. Each case is logged and told to the {@link ConsumerEventListener}s. */
public enum MissingKeyPolicy {
    /**
     * It fails with a {@link MissingKeyException}, like any poison message: the container's retries and recoverer act. If none
     * takes it over, it is a dead letter, also where the container would requeue what failed.
     */
    DEAD_LETTER,
    /** It runs without protection: every redelivery runs again. */
    RUN_UNGUARDED,
    /** It is acknowledged and never runs. */
    ACKNOWLEDGE
}
