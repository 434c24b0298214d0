package io.idem;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * The outcome of an operation. Immutable.
 *
 * @param <T> the type of the work's value
 */
public sealed interface Outcome<T> {

    /** Returns which outcome this is. */
    default End end() {
        for (End end : End.values()) {
            if (end.outcome.isInstance(this)) {
                return end;
            }
        }
        throw new IllegalStateException("No end for " + getClass());
    }

    /**
     * The outcomes by name. A switch expression over them without a default stands for one over all types of outcomes
     * in Java 17: a forgotten outcome does not compile.
     */
    enum End {
        EXECUTED(Executed.class),
        RELEASED(Released.class),
        REJECTED_NOW(RejectedNow.class),
        SUPERSEDED(Superseded.class),
        UNRECORDED(Unrecorded.class),
        REPLAYED(Replayed.class),
        IN_PROGRESS(InProgress.class),
        NOT_YET(NotYet.class),
        MISMATCH(Mismatch.class),
        REJECTED(Rejected.class),
        EXHAUSTED(Exhausted.class);

        private final Class<?> outcome;

        End(Class<?> outcome) {
            this.outcome = outcome;
        }
    }

    /** The work ran in this call. */
    sealed interface Ran<T> extends Outcome<T> {

        /** Returns the value of the work. */
        T value();
    }

    /** The work did not run in this call. */
    sealed interface NotRun<T> extends Outcome<T> {}

    /** The work took effect and the record is completed. */
    record Executed<T>(T value, StoredResult result) implements Ran<T> {}

    /**
     * The work released the key for a retry.
     *
     * @param again whether the work has sent its own message back, which the broker has: the retry comes with that.
     *     Else the message of this attempt has to come again
     */
    record Released<T>(T value, boolean again) implements Ran<T> {}

    /**
     * The work failed for good in this attempt. The record is rejected, unless the store did not answer: then another
     * attempt may follow and fail again.
     */
    record RejectedNow<T>(T value, String reason) implements Ran<T> {}

    /**
     * The work took effect, but another owner had completed the record: both may have taken effect. {@code stored} is
     * the result on record, with which duplicates are answered.
     */
    record Superseded<T>(T value, StoredResult stored) implements Ran<T> {}

    /**
     * The work took effect, but the record is not completed yet. Neither acknowledge the message nor treat it as a
     * failure.
     *
     * @param why the obstacle
     * @param again tries once more to complete the record and blocks meanwhile; may be called until it returns another
     *     outcome
     */
    record Unrecorded<T>(T value, Obstacle why, Supplier<Outcome<T>> again) implements Ran<T> {}

    /** The work was completed before; answer with its result. */
    record Replayed<T>(StoredResult result) implements NotRun<T> {}

    /**
     * Another owner holds the lease, or this attempt's lease ended before it could commit: defer.
     *
     * @param retryAfter the rest of the other owner's lease; at an intake at most the usual duration of such work in
     *     this instance, and at least one second
     */
    record InProgress<T>(Duration retryAfter) implements NotRun<T> {}

    /**
     * An earlier attempt failed and asked for a delay that has not passed: defer. {@code retryAfter} is the rest of it.
     */
    record NotYet<T>(Duration retryAfter) implements NotRun<T> {}

    /** The key was used before with another payload. */
    record Mismatch<T>() implements NotRun<T> {}

    /** The work failed for good before, for {@code reason}. */
    record Rejected<T>(String reason) implements NotRun<T> {}

    /** The allowed number of attempts is used up. */
    record Exhausted<T>(int attempts) implements NotRun<T> {}

    /** An obstacle to completing the record. */
    sealed interface Obstacle {

        /** The store did not answer; whether the record was completed is unknown. */
        record StoreSilent(StoreUnavailableException cause) implements Obstacle {}

        /** A message that the work published is not confirmed. */
        record Unconfirmed(Throwable cause) implements Obstacle {}

        /** The record is gone or belongs to another owner; {@code state} is its state. */
        record RecordLost(RecordState state) implements Obstacle {}
    }
}
