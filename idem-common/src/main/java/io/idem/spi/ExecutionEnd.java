package io.idem.spi;

import io.idem.Outcome;
import io.idem.StoreUnavailableException;
import java.util.Locale;

/** End of an execution, with a name for tags of meters. */
public enum ExecutionEnd {
    /** The work took effect, and its record says so. */
    EXECUTED,
    /** The work released the key. */
    RELEASED,
    /** The work failed for good in this attempt. */
    REJECTED_NOW,
    /** The work took effect, and the work of another owner did too. */
    SUPERSEDED,
    /** The work took effect; its record did not say so yet when the execution ended. */
    UNRECORDED,
    /** The work threw an exception. */
    FAILED,
    /** The lease ended before the work could commit. */
    LEASE_LOST,
    /** The outcome of the work is unknown; its lease expires. */
    LEFT,
    /** The work was not run: it was done before. */
    REPLAYED,
    /** The work was not run: another owner holds the lease. */
    IN_PROGRESS,
    /** The work was not run: a failed attempt asked for a delay. */
    NOT_YET,
    /** The work was not run: the key belongs to another payload. */
    MISMATCH,
    /** The work was not run: it failed for good before. */
    REJECTED,
    /** The work was not run: its attempts are used up. */
    EXHAUSTED,
    /** The store did not answer: the work was not run, or it is unknown whether it was. */
    UNAVAILABLE;

    /** Returns the end of an execution with this outcome. */
    public static ExecutionEnd of(Outcome<?> outcome) {
        return valueOf(outcome.end().name());
    }

    /** Returns the end of an execution with this exception. */
    public static ExecutionEnd of(Throwable failure) {
        return failure instanceof StoreUnavailableException ? UNAVAILABLE : FAILED;
    }

    /** Returns the name in lower case, words joined by hyphens. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
