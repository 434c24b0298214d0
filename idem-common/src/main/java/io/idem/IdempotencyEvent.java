package io.idem;

import java.time.Duration;

/** An event in the life of a record, for metrics and logs. Carries no payload and no text of clients. Immutable. */
public sealed interface IdempotencyEvent {

    /** Returns the record that the event is about. */
    RecordId record();

    /** An event of one grant. */
    sealed interface OfGrant extends IdempotencyEvent {

        /** Returns the lease of the grant. */
        Lease lease();

        @Override
        default RecordId record() {
            return lease().record();
        }
    }

    /** The store answered an acquire. */
    record Claimed(RecordId record, Claim claim) implements IdempotencyEvent {}

    /** The work of a grant begins. */
    record WorkBegun(Lease lease) implements OfGrant {}

    /**
     * The owner settled its grant.
     *
     * @param state the record's new state
     * @param why the class of the exception that ended work without effect, or what else did; empty if that is not known
     */
    record Settled(Lease lease, RecordState state, String why) implements OfGrant {}

    /** The lease ended before the commit; the attempt took no effect. */
    record LeaseLost(Lease lease) implements OfGrant {}

    /** The work took effect, but another owner had completed the record: both may have taken effect. */
    record DoubleEffectSuspected(Lease lease) implements OfGrant {}

    /**
     * The work took effect, but its record is gone or belongs to another owner; {@code state} is the state that was
     * found.
     */
    record RecordLost(Lease lease, RecordState state) implements OfGrant {}

    /** A result was not kept or no longer exists: duplicates are answered without it. The work is not affected. */
    record ResultOmitted(RecordId record, ResultLoss why) implements IdempotencyEvent {}

    /** The work had been committed before, as its inbox row says, and was not run again. */
    record FoundInInbox(Lease lease) implements OfGrant {}

    /** A grant took over from an owner whose outcome is unknown, and the policy of its scope decided. */
    record TakeoverDecided(Lease lease, Decision decision) implements OfGrant {

        /** The decisions at a takeover. */
        public enum Decision {
            /** The earlier attempt took effect: the record is completed without running the work. */
            DONE,
            /** The work runs. */
            RUN,
            /** The record is rejected, for a person to decide. */
            REJECTED,
            /** The outcome cannot be known yet: the next takeover asks again. */
            ASK_AGAIN
        }
    }

    /**
     * A step ended.
     *
     * @param step the name of the step, without its item
     * @param took the time that the work or the question whether it was done took; zero where neither ran
     */
    record StepEnded(Lease lease, String step, How how, Duration took) implements OfGrant {

        /** The ways in which a step ends. */
        public enum How {
            /** The work ran and its result is remembered. */
            RAN,
            /** The work ran, but its result was not kept: a later attempt is rejected. */
            RESULT_NOT_KEPT,
            /** An earlier attempt had done it. */
            REMEMBERED,
            /** The step's reconciler found that it had been done. */
            FOUND,
            /** The work threw an exception, and nothing is remembered of it. */
            FAILED,
            /** A person must decide. */
            REJECTED,
            /** Whether the step was done is not known yet. */
            UNDECIDED,
            /** The work ran, but another owner has the record, or the store did not answer: the result is dropped. */
            LOST
        }
    }
}
