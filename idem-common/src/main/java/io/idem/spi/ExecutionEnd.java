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
        return outcome.match(new Ends<>());
    }

    /** The end that an exception tells of. */
    public static ExecutionEnd of(Throwable failure) {
        return failure instanceof StoreUnavailableException ? UNAVAILABLE : FAILED;
    }

    /** In lower case, words joined by hyphens. */
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private record Ends<T>() implements Outcome.Cases<T, ExecutionEnd> {

        @Override
        public ExecutionEnd executed(Outcome.Executed<T> outcome) {
            return EXECUTED;
        }

        @Override
        public ExecutionEnd released(Outcome.Released<T> outcome) {
            return RELEASED;
        }

        @Override
        public ExecutionEnd rejectedNow(Outcome.RejectedNow<T> outcome) {
            return REJECTED_NOW;
        }

        @Override
        public ExecutionEnd superseded(Outcome.Superseded<T> outcome) {
            return SUPERSEDED;
        }

        @Override
        public ExecutionEnd unrecorded(Outcome.Unrecorded<T> outcome) {
            return UNRECORDED;
        }

        @Override
        public ExecutionEnd replayed(Outcome.Replayed<T> outcome) {
            return REPLAYED;
        }

        @Override
        public ExecutionEnd inProgress(Outcome.InProgress<T> outcome) {
            return IN_PROGRESS;
        }

        @Override
        public ExecutionEnd notYet(Outcome.NotYet<T> outcome) {
            return NOT_YET;
        }

        @Override
        public ExecutionEnd mismatch(Outcome.Mismatch<T> outcome) {
            return MISMATCH;
        }

        @Override
        public ExecutionEnd rejected(Outcome.Rejected<T> outcome) {
            return REJECTED;
        }

        @Override
        public ExecutionEnd exhausted(Outcome.Exhausted<T> outcome) {
            return EXHAUSTED;
        }
    }
}
