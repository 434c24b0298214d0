package io.idem;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * What became of an operation.
 *
 * @param <T> type of the work's value
 */
public sealed interface Outcome<T> {

    /** The work ran in this call. */
    sealed interface Ran<T> extends Outcome<T> {

        /** What the work returned. */
        T value();
    }

    /** The work did not run in this call. */
    sealed interface NotRun<T> extends Outcome<T> {}

    /** It took effect and the record says so. */
    record Executed<T>(T value, StoredResult result) implements Ran<T> {}

    /** It gave the key back. */
    record Released<T>(T value) implements Ran<T> {}

    /**
     * The work failed for good in this attempt. The record is rejected now, unless the store was silent: then another attempt may
     * follow and fail again.
     */
    record RejectedNow<T>(T value, String reason) implements Ran<T> {}

    /**
     * It took effect, but another owner had completed the record meanwhile: a double effect is suspected. {@code stored} is
     * what everybody else was answered.
     */
    record Superseded<T>(T value, StoredResult stored) implements Ran<T> {}

    /**
     * It took effect, but the record does not say so yet. Not to be acknowledged and not to be treated as a failure.
     *
     * @param why what stands in the way
     * @param again tries once more to record it and blocks meanwhile; may be called until it answers otherwise
     */
    record Unrecorded<T>(T value, Obstacle why, Supplier<Outcome<T>> again) implements Ran<T> {}

    /** The work had been done before; answer with its result. */
    record Replayed<T>(StoredResult result) implements NotRun<T> {}

    /**
     * Another owner holds the lease, or this one's lease ended before it could commit: defer.
     *
     * @param retryAfter the rest of the other owner's lease; at an intake not longer than such work usually takes in this instance, at
     *     least a second
     */
    record InProgress<T>(Duration retryAfter) implements NotRun<T> {}

    /** A failed attempt asked for a delay that has not passed: defer. */
    record NotYet<T>(Duration retryAfter) implements NotRun<T> {}

    /** The key was used before with another payload. */
    record Mismatch<T>() implements NotRun<T> {}

    /** The work failed for good before: the record says so already. */
    record Rejected<T>(String reason) implements NotRun<T> {}

    /** The allowed number of attempts is used up. */
    record Exhausted<T>(int attempts) implements NotRun<T> {}

    /** What stands in the way of recording an effect. */
    sealed interface Obstacle {

        /** The store's answer is unknown. */
        record StoreSilent(StoreUnavailableException cause) implements Obstacle {}

        /** A message that the work published is not confirmed. */
        record Unconfirmed(Throwable cause) implements Obstacle {}

        /** The record is gone, or somebody else's; {@code state} is what it says. */
        record RecordLost(RecordState state) implements Obstacle {}
    }
}
