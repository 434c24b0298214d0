package io.idem;

import java.time.Duration;
import java.util.Objects;

/**
 * A write by an owner as a value, so that many can be asked for at once. What a store cannot write is refused here, on the
 * caller's thread: further on it would meet the requests of others.
 */
public sealed interface RecordUpdate {

    /** 100 years: more than anybody waits, and less than the milliseconds of a record can tell. */
    Duration LONGEST_DELAY = Duration.ofDays(36_525);

    /** The grant that it acts for. */
    Lease lease();

    /** Its kind in one word, for meters and messages. */
    String name();

    /** Extends the lease to its full duration from now, also a lapsed one that nobody took. */
    record Renew(Lease lease) implements RecordUpdate {

        @Override
        public String name() {
            return "renew";
        }
    }

    /** Stores the outcome for good. */
    record Complete(Lease lease, StoredResult result) implements RecordUpdate {

        /** Refuses null. */
        public Complete {
            Objects.requireNonNull(result, "result");
        }

        @Override
        public String name() {
            return "complete";
        }
    }

    /**
     * Gives the key back for a retry after {@code delay}; keeps fence, attempts and fingerprint.
     *
     * @param delay until the earliest retry, counted in whole milliseconds; zero if it was given as negative, however far in
     *     the past it ends
     */
    record Fail(Lease lease, Duration delay) implements RecordUpdate {

        /**
         * Makes a negative delay zero, and refuses one that is too long.
         *
         * @throws IllegalArgumentException it is longer than {@link #LONGEST_DELAY}
         */
        public Fail {
            delay = delay.isNegative() ? Duration.ZERO : delay;
            if (delay.compareTo(LONGEST_DELAY) > 0) {
                throw new IllegalArgumentException("delay " + delay + " is longer than " + LONGEST_DELAY
                        + ", 100 years; to end work for good, reject it");
            }
        }

        @Override
        public String name() {
            return "fail";
        }
    }

    /** Ends the work for good without a result. */
    record Reject(Lease lease, String reason) implements RecordUpdate {

        /** Refuses null. */
        public Reject {
            Objects.requireNonNull(reason, "reason");
        }

        @Override
        public String name() {
            return "reject";
        }
    }
}
