package io.idem.spi;

/** End of unsettled work that an operator writes in place of its owner. */
public enum ForcedEnd {
    /** The work took effect, as a person found out: duplicates are answered without a result. */
    COMPLETED,
    /** The work may be tried again at once. */
    FAILED
}
