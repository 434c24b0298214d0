package io.idem;

/**
 * Thrown by an {@link Idempotent} method whose work with this key has failed for good, or has used up its attempts. It does not run until
 * an operator reopens the record.
 */
public final class WorkRejectedException extends IdempotencyException {

    public WorkRejectedException(RecordId record, String reason) {
        super(record + " is not run: " + reason);
    }
}
