package io.idem;

/**
 * Thrown when the connection broke during a commit and the inbox row could not be read again: the work may or may not
 * have taken effect. The record is not updated; the lease expires, and the next owner finds the row or runs the work.
 */
public final class CommitUnknownException extends IdempotencyException {

    public CommitUnknownException(RecordId record, Throwable cause) {
        super(
                "Whether the work of " + record
                        + " was committed is unknown; its lease is left to expire and the next owner"
                        + " will look for its inbox row",
                cause);
    }
}
