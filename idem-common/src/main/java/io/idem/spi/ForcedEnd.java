package io.idem.spi;

/** How an operator may end work in its owner's place. */
public enum ForcedEnd {
    /** It took effect, as a person found out: duplicates are answered without a result. */
    COMPLETED,
    /** It may be tried again at once. */
    FAILED
}
