package io.idem;

import java.time.Duration;

/**
 * Thrown by an {@link Idempotent} method whose work is not known to be done: another call with its key is running, the delay after a failed
 * one is not over, or its own attempt ended with an unknown outcome. The caller tries again later; the call has not failed.
 */
public final class KeyInProgressException extends IdempotencyException {

    private final RecordId record;
    private final Duration retryAfter;

    /**
     * Creates the exception.
     *
     * @param why the reason, as a sentence without its full stop
     */
    public KeyInProgressException(RecordId record, String why, Duration retryAfter) {
        super(record + " is not done: " + why + "; try again in " + retryAfter.toMillis() + " ms");
        this.record = record;
        this.retryAfter = retryAfter;
    }

    /** Returns the record of the call. */
    public RecordId record() {
        return record;
    }

    /** Returns the time after which another call may be granted; zero if unknown. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
