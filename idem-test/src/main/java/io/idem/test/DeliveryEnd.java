package io.idem.test;

/** What a broker would be told about a message, or find out by itself. */
public enum DeliveryEnd {
    /** It is done with. */
    ACKNOWLEDGED,
    /** It comes again: its listener failed, its key is in progress elsewhere, or nobody has acknowledged it. */
    REDELIVERED,
    /** It is refused for good. */
    DEAD_LETTERED
}
