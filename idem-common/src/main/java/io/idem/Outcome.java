package io.idem;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * What became of an operation.
 *
 * @param <T> type of the work's value
 */
public sealed interface Outcome<T> {

    /**
     * Calls the method of {@code cases} for this outcome, and answers what it answers. A switch over all outcomes for Java 17: a
     * forgotten outcome does not compile.
     */
    <R> R match(Cases<T, R> cases);

    /** One method for each outcome, for {@link Outcome#match}. */
    interface Cases<T, R> extends Ran.Cases<T, R>, NotRun.Cases<T, R> {}

    /** The work ran in this call. */
    sealed interface Ran<T> extends Outcome<T> {

        /** What the work returned. */
        T value();

        /** As {@link Outcome#match}, where the work is known to have run. */
        <R> R match(Ran.Cases<T, R> cases);

        @Override
        default <R> R match(Outcome.Cases<T, R> cases) {
            Ran.Cases<T, R> ran = cases;
            return match(ran);
        }

        /** One method for each outcome of work that ran. */
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

        /** As {@link Outcome#match}, where the work is known not to have run. */
        <R> R match(NotRun.Cases<T, R> cases);

        @Override
        default <R> R match(Outcome.Cases<T, R> cases) {
            NotRun.Cases<T, R> notRun = cases;
            return match(notRun);
        }

        /** One method for each outcome without a run. */
        interface Cases<T, R> {

            R replayed(Replayed<T> outcome);

            R inProgress(InProgress<T> outcome);

            R notYet(NotYet<T> outcome);

            R mismatch(Mismatch<T> outcome);

            R rejected(Rejected<T> outcome);

            R exhausted(Exhausted<T> outcome);
        }
    }

    /** It took effect and the record says so. */
    record Executed<T>(T value, StoredResult result) implements Ran<T> {

        @Override
        public <R> R match(Ran.Cases<T, R> cases) {
            return cases.executed(this);
        }
    }

    /** It gave the key back. */
    record Released<T>(T value) implements Ran<T> {

        @Override
        public <R> R match(Ran.Cases<T, R> cases) {
            return cases.released(this);
        }
    }

    /**
     * The work failed for good in this attempt. The record is rejected now, unless the store was silent: then another attempt may
     * follow and fail again.
     */
    record RejectedNow<T>(T value, String reason) implements Ran<T> {

        @Override
        public <R> R match(Ran.Cases<T, R> cases) {
            return cases.rejectedNow(this);
        }
    }

    /**
     * It took effect, but another owner had completed the record meanwhile: a double effect is suspected. {@code stored} is
     * what everybody else was answered.
     */
    record Superseded<T>(T value, StoredResult stored) implements Ran<T> {

        @Override
        public <R> R match(Ran.Cases<T, R> cases) {
            return cases.superseded(this);
        }
    }

    /**
     * It took effect, but the record does not say so yet. Not to be acknowledged and not to be treated as a failure.
     *
     * @param why what stands in the way
     * @param again tries once more to record it and blocks meanwhile; may be called until it answers otherwise
     */
    record Unrecorded<T>(T value, Obstacle why, Supplier<Outcome<T>> again) implements Ran<T> {

        @Override
        public <R> R match(Ran.Cases<T, R> cases) {
            return cases.unrecorded(this);
        }
    }

    /** The work had been done before; answer with its result. */
    record Replayed<T>(StoredResult result) implements NotRun<T> {

        @Override
        public <R> R match(NotRun.Cases<T, R> cases) {
            return cases.replayed(this);
        }
    }

    /**
     * Another owner holds the lease, or this one's lease ended before it could commit: defer.
     *
     * @param retryAfter the rest of the other owner's lease; at an intake not longer than such work usually takes in this instance, at
     *     least a second
     */
    record InProgress<T>(Duration retryAfter) implements NotRun<T> {

        @Override
        public <R> R match(NotRun.Cases<T, R> cases) {
            return cases.inProgress(this);
        }
    }

    /** A failed attempt asked for a delay that has not passed: defer. */
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

    /** The work failed for good before: the record says so already. */
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
