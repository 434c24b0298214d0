package io.idem.test;

/** The end of a delivery as the broker would see it. */
public enum DeliveryEnd {
    /** The message is acknowledged. */
    ACKNOWLEDGED,
    /**
     * The message is delivered again: its listener failed, another owner holds the lease, or it was not acknowledged.
     */
    REDELIVERED,
    /** The message is refused for good. */
    DEAD_LETTERED
}
