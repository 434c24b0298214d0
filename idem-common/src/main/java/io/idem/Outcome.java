package io.idem;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * The outcome of an operation. Immutable.
 *
 * @param <T> the type of the work's value
 */
public sealed interface Outcome<T> {

    /**
     * Calls the method of {@code cases} for this outcome and returns its value. Stands for a switch over all outcomes
     * in Java 17: a forgotten outcome does not compile.
     */
    <R> R match(Cases<T, R> cases);

    /** A method for each outcome, for {@link Outcome#match}. */
    interface Cases<T, R> extends Ran.Cases<T, R>, NotRun.Cases<T, R> {}

    /** The work ran in this call. */
    sealed interface Ran<T> extends Outcome<T> {

        /** Returns the value of the work. */
        T value();

        /** Calls the method of {@code cases} for this outcome of work that ran, as {@link Outcome#match} does. */
        <R> R match(Ran.Cases<T, R> cases);

        @Override
        default <R> R match(Outcome.Cases<T, R> cases) {
            Ran.Cases<T, R> ran = cases;
            return match(ran);
        }

        /** A method for each outcome of work that ran. */
        interface Cases<T, R> {

            R executed(Executed<T> outcome);

            R released(Released<T> outcome);

            R rejectedNow(RejectedNow<T> outcome);

            R superseded(Superseded<T> outcome);

            R unrecorded(Unrecorded<T> outcome);
        }
    }

    /** The work did not run in this call. */
    sealed interface NotRun<T> extends Outcome<T> {

        /**
         * Calls the method of {@code cases} for this outcome of work that did not run, as {@link Outcome#match} does.
         */
        <R> R match(NotRun.Cases<T, R> cases);

        @Override
        default <R> R match(Outcome.Cases<T, R> cases) {
            NotRun.Cases<T, R> notRun = cases;
            return match(notRun);
        }

        /** A method for each outcome of work that did not run. */
        interface Cases<T, R> {

            R replayed(Replayed<T> outcome);

            R inProgress(InProgress<T> outcome);

            R notYet(NotYet<T> outcome);

            R mismatch(Mismatch<T> outcome);

            R rejected(Rejected<T> outcome);

            R exhausted(Exhausted<T> outcome);
        }
    }

    /** The work took effect and the record is completed. */
    record Executed<T>(T value, StoredResult result) implements Ran<T> {

        @Override
        public <R> R match(Ran.Cases<T, R> cases) {
            return cases.executed(this);
        }
    }

    /**
     * The work released the key for a retry.
     *
     * @param again whether the work has sent its own message back, which the broker has: the retry comes with that.
     *     Else the message of this attempt has to come again
     */
    record Released<T>(T value, boolean again) implements Ran<T> {

        @Override
        public <R> R match(Ran.Cases<T, R> cases) {
            return cases.released(this);
        }
    }

    /**
     * The work failed for good in this attempt. The record is rejected, unless the store did not answer: then another
     * attempt may follow and fail again.
     */
    record RejectedNow<T>(T value, String reason) implements Ran<T> {

        @Override
        public <R> R match(Ran.Cases<T, R> cases) {
            return cases.rejectedNow(this);
        }
    }

    /**
     * The work took effect, but another owner had completed the record: both may have taken effect. {@code stored} is
     * the result on record, with which duplicates are answered.
     */
    record Superseded<T>(T value, StoredResult stored) implements Ran<T> {

        @Override
        public <R> R match(Ran.Cases<T, R> cases) {
            return cases.superseded(this);
        }
    }

    /**
     * The work took effect, but the record is not completed yet. Neither acknowledge the message nor treat it as a
     * failure.
     *
     * @param why the obstacle
     * @param again tries once more to complete the record and blocks meanwhile; may be called until it returns another
     *     outcome
     */
    record Unrecorded<T>(T value, Obstacle why, Supplier<Outcome<T>> again) implements Ran<T> {

        @Override
        public <R> R match(Ran.Cases<T, R> cases) {
            return cases.unrecorded(this);
        }
    }

    /** The work was completed before; answer with its result. */
    record Replayed<T>(StoredResult result) implements NotRun<T> {

        @Override
        public <R> R match(NotRun.Cases<T, R> cases) {
            return cases.replayed(this);
        }
    }

    /**
     * Another owner holds the lease, or this attempt's lease ended before it could commit: defer.
     *
     * @param retryAfter the rest of the other owner's lease; at an intake at most the usual duration of such work in
     *     this instance, and at least one second
     */
    record InProgress<T>(Duration retryAfter) implements NotRun<T> {

        @Override
        public <R> R match(NotRun.Cases<T, R> cases) {
            return cases.inProgress(this);
        }
    }

    /**
     * An earlier attempt failed and asked for a delay that has not passed: defer. {@code retryAfter} is the rest of it.
     */
    record NotYet<T>(Duration retryAfter) implements NotRun<T> {

        @Override
        public <R> R match(NotRun.Cases<T, R> cases) {
            return cases.notYet(this);
        }
    }

    /** The key was used before with another payload. */
    record Mismatch<T>() implements NotRun<T> {

        @Override
        public <R> R match(NotRun.Cases<T, R> cases) {
            return cases.mismatch(this);
        }
    }

    /** The work failed for good before, for {@code reason}. */
    record Rejected<T>(String reason) implements NotRun<T> {

        @Override
        public <R> R match(NotRun.Cases<T, R> cases) {
            return cases.rejected(this);
        }
    }

    /** The allowed number of attempts is used up. */
    record Exhausted<T>(int attempts) implements NotRun<T> {

        @Override
        public <R> R match(NotRun.Cases<T, R> cases) {
            return cases.exhausted(this);
        }
    }

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
