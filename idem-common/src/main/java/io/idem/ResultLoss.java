package io.idem;

/** Why duplicates of completed work are answered without its result, or with a part of it. */
public enum ResultLoss {
    /** It was larger than is kept. */
    TOO_LARGE,
    /** It could not be compressed, encrypted or put where large results are kept. */
    NOT_STORABLE,
    /** It lay outside the record and is not there any more, or not as it was written. */
    GONE,
    /** The key that it was encrypted with is not there: destroyed, or not configured here. */
    KEY_GONE,
    /** A plain result where only encrypted ones are accepted: stored before encryption was switched on, or forged. */
    NOT_ENCRYPTED,
    /** It is not what the record's own work wrote, or a newer version of idem wrote it. */
    UNREADABLE
}
