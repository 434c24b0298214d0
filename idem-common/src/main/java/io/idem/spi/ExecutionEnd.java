package io.idem.spi;

import io.idem.Outcome;
import io.idem.StoreUnavailableException;
import java.util.Locale;

/** How an execution ended, in a word fit for a tag. */
public enum ExecutionEnd {
    /** The work took effect, and its record says so. */
    EXECUTED,
    /** The work gave the key back. */
    RELEASED,
    /** The work failed for good in this attempt. */
    REJECTED_NOW,
    /** The work took effect, and somebody else's too. */
    SUPERSEDED,
    /** The work took effect; its record did not say so yet when the execution ended. */
    UNRECORDED,
    /** The work threw. */
    FAILED,
    /** The lease ended before the work could commit. */
    LEASE_LOST,
    /** Nobody knows whether the work took effect: its lease runs out by itself. */
    LEFT,
    /** Not run: done before. */
    REPLAYED,
    /** Not run: another owner holds the lease. */
    IN_PROGRESS,
    /** Not run: a failed attempt asked for a delay. */
    NOT_YET,
    /** Not run: the key belongs to another payload. */
    MISMATCH,
    /** Not run: failed for good before. */
    REJECTED,
    /** Not run: attempts used up. */
    EXHAUSTED,
    /** Not run, or not known whether it was: the store did not answer. */
    UNAVAILABLE;

    /** The end that an outcome tells of. */
    public static ExecutionEnd of(Outcome<?> outcome) {
        return outcome instanceof Outcome.Ran<?> ran ? ofWork(ran) : ofAnswer((Outcome.NotRun<?>) outcome);
    }

    /** The end that an exception tells of. */
    public static ExecutionEnd of(Throwable failure) {
        return failure instanceof StoreUnavailableException ? UNAVAILABLE : FAILED;
    }

    private static ExecutionEnd ofWork(Outcome.Ran<?> outcome) {
        if (outcome instanceof Outcome.Executed<?>) {
            return EXECUTED;
        }
        if (outcome instanceof Outcome.Released<?>) {
            return RELEASED;
        }
        if (outcome instanceof Outcome.RejectedNow<?>) {
            return REJECTED_NOW;
        }
        return outcome instanceof Outcome.Superseded<?> ? SUPERSEDED : UNRECORDED;
    }

    private static ExecutionEnd ofAnswer(Outcome.NotRun<?> outcome) {
        if (outcome instanceof Outcome.Replayed<?>) {
            return REPLAYED;
        }
        if (outcome instanceof Outcome.InProgress<?>) {
            return IN_PROGRESS;
        }
        if (outcome instanceof Outcome.NotYet<?>) {
            return NOT_YET;
        }
        if (outcome instanceof Outcome.Mismatch<?>) {
            return MISMATCH;
        }
        return outcome instanceof Outcome.Rejected<?> ? REJECTED : EXHAUSTED;
    }

    /** In lower case, words joined by hyphens. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
