package io.idem;

/** The reasons why duplicates of completed work are answered without its result, or with a part of it. */
public enum ResultLoss {
    /** The result was larger than the limit. */
    TOO_LARGE,
    /** The result could not be compressed, encrypted or written to the storage of large results. */
    NOT_STORABLE,
    /** The result was stored outside the record and no longer exists, or was changed. */
    GONE,
    /** The key that the result was encrypted with is missing: destroyed, or not configured here. */
    KEY_GONE,
    /**
     * The result is not encrypted where only encrypted ones are accepted: stored before encryption was switched on, or
     * forged.
     */
    NOT_ENCRYPTED,
    /** The result was not written by the work of this record, or was written by a newer version of idem. */
    UNREADABLE
}
