package io.idem.consumer.rabbit;

/**
 * Place in which a message is deferred, because another owner holds the lease or its last attempt asked for a delay.
 */
public enum DeferralStrategy {

    /**
     * The message waits on the delivering thread, up to {@code idem.consumer.in-place-wait}; then the broker delivers
     * it again. Needs nothing, but occupies a consumer.
     */
    WAIT_THEN_REDELIVER,

    /**
     * The message waits in a queue of its own, from which the broker brings it back after a fixed delay. Occupies no
     * consumer and counts as no redelivery, but the message loses its place in its queue.
     */
    DELAY_QUEUE
}
