package io.idem;

/** Something worth counting or logging. Carries no payload and no client text. */
public sealed interface IdempotencyEvent {

    /** Whose record it is. */
    RecordId record();

    /** An acquire was answered. */
    record Claimed(RecordId record, Claim claim) implements IdempotencyEvent {}

    /** The owner settled its grant; {@code state} is what the record says now. */
    record Settled(Lease lease, RecordState state) implements IdempotencyEvent {
        @Override
        public RecordId record() {
            return lease.record();
        }
    }

    /** The lease ended before the commit; the attempt took no effect. */
    record LeaseLost(Lease lease) implements IdempotencyEvent {
        @Override
        public RecordId record() {
            return lease.record();
        }
    }

    /** The work took effect, but another owner had completed the record: double effect suspected. */
    record DoubleEffectSuspected(Lease lease) implements IdempotencyEvent {
        @Override
        public RecordId record() {
            return lease.record();
        }
    }

    /** The work took effect, but its record is gone or was taken; {@code state} is what was found. */
    record RecordLost(Lease lease, RecordState state) implements IdempotencyEvent {
        @Override
        public RecordId record() {
            return lease.record();
        }
    }

    /** A result was not kept, or is not there any more: duplicates are answered without it. The work is not affected. */
    record ResultOmitted(RecordId record, ResultLoss why) implements IdempotencyEvent {}

    /** The inbox knew the work: it was not run again. */
    record FoundInInbox(Lease lease) implements IdempotencyEvent {
        @Override
        public RecordId record() {
            return lease.record();
        }
    }

    /** A grant took over from an owner whose outcome is unknown, and its scope's policy decided. */
    record TakeoverDecided(Lease lease, Decision decision) implements IdempotencyEvent {
        @Override
        public RecordId record() {
            return lease.record();
        }

        /** What was decided. */
        public enum Decision {
            /** The work had taken effect: the record is completed without running it. */
            DONE,
            /** The work had taken no effect: it runs. */
            RUN,
            /** A person has to look: the record is rejected. */
            REJECTED,
            /** Nobody can tell yet: the next takeover asks again. */
            ASK_AGAIN
        }
    }

    /**
     * The work took effect without the store, which was unreachable (fail open): its inbox row alone decided. {@code recorded}
     * tells whether the store has been told since; if not, the next duplicate finds the row.
     */
    record RanFailOpen(Lease lease, boolean recorded) implements IdempotencyEvent {
        @Override
        public RecordId record() {
            return lease.record();
        }
    }
}
