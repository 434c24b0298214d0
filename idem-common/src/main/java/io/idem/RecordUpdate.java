package io.idem;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * An owner's write to its record. Values that a store cannot write are refused by the constructors, on the caller's
 * thread, because a failure inside a batch would affect the requests of others. Immutable.
 */
public sealed interface RecordUpdate {

    /** The longest delay that a record can hold, 100 years. */
    Duration LONGEST_DELAY = Duration.ofDays(36_525);

    /** Returns the grant that the write is for. */
    Lease lease();

    /** Returns the kind of write in one word, for meters and messages. */
    default String name() {
        return getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** Extends the lease to its full duration from now, even if it has ended but was not taken over. */
    record Renew(Lease lease) implements RecordUpdate {}

    /**
     * Stores the result for good.
     *
     * @param forgetSteps whether steps may be remembered beside the record, which are removed in the same write
     */
    record Complete(Lease lease, StoredResult result, boolean forgetSteps) implements RecordUpdate {

        public Complete {
            Objects.requireNonNull(result, "result");
        }

        /** Creates the update of work that has no steps. */
        public Complete(Lease lease, StoredResult result) {
            this(lease, result, false);
        }
    }

    /**
     * Releases the key for a retry after {@code delay}; keeps fence, attempts and fingerprint.
     *
     * @param delay the time until the earliest retry, in whole milliseconds; a negative one counts as zero
     * @param counted whether the attempt counts. If not, the record has the attempts that it had before the grant, and no
     *     number of such attempts uses it up; if that was none, the fingerprint is forgotten. There is no delay then: a store
     *     may keep nothing of the attempt. After a {@linkplain #leavesTakeover takeover} the record is PENDING as before it
     */
    record Fail(Lease lease, Duration delay, boolean counted) implements RecordUpdate {

        /**
         * Replaces a negative delay by zero, and that of an attempt that does not count.
         *
         * @throws IllegalArgumentException if the delay is longer than {@link #LONGEST_DELAY}
         */
        public Fail {
            delay = delay.isNegative() || !counted ? Duration.ZERO : delay;
            if (delay.compareTo(LONGEST_DELAY) > 0) {
                throw new IllegalArgumentException("delay " + delay + " is longer than " + LONGEST_DELAY
                        + ", 100 years; to end work for good, reject it");
            }
        }

        /** Creates the update of an attempt that counts. */
        public Fail(Lease lease, Duration delay) {
            this(lease, delay, true);
        }

        /**
         * Returns whether the attempt was a takeover and does not count. The outcome of the earlier attempt is still unknown
         * then: the record stays PENDING under this fence, with its fingerprint, no owner and a lease that is over, so that
         * the next grant is a takeover.
         */
        public boolean leavesTakeover() {
            return !counted && lease.fence() % 2 == 1;
        }
    }

    /** Ends the work for good without a result. */
    record Reject(Lease lease, String reason) implements RecordUpdate {

        public Reject {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * Remembers a step beside the record, which stays unchanged. The lease may have ended as long as nobody took the
     * record over. A step that was done under this id before stays as it is.
     *
     * @param life the {@linkplain RememberedSteps#life life} that the step belongs to: steps of another one are removed
     */
    record Remember(Lease lease, long life, RememberedSteps.RememberedStep step) implements RecordUpdate {

        public Remember {
            Objects.requireNonNull(step, "step");
        }
    }

    /** Reads the remembered steps; answered by {@link StoreAnswer.Recalled}. */
    record Recall(Lease lease) implements RecordUpdate {}
}
