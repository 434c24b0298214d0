package io.idem;

import java.time.Duration;
import java.util.Objects;

/**
 * Result of a piece of work, as the work reports it when it returns. An exception counts as {@link Release} without delay.
 *
 * @param <T> what the caller gets back
 */
public sealed interface WorkResult<T> {

    /** What the caller gets back. */
    T value();

    /**
     * It took effect.
     *
     * @param result what duplicates are answered with
     * @param shortened what they are answered with if {@code result} is too large or cannot be kept
     */
    record Complete<T>(T value, StoredResult result, StoredResult shortened) implements WorkResult<T> {

        /** Refuses a result or a shortened one that is null. */
        public Complete {
            Objects.requireNonNull(result, "result");
            Objects.requireNonNull(shortened, "shortened");
        }

        /** The same for a result of which nothing is left when it cannot be kept. */
        public Complete(T value, StoredResult result) {
            this(value, result, StoredResult.OMITTED);
        }
    }

    /** It took no effect; another attempt may run after {@code delay}. */
    record Release<T>(T value, Duration delay) implements WorkResult<T> {

        /**
         * Checks the delay.
         *
         * @throws IllegalArgumentException it is longer than {@link RecordUpdate#LONGEST_DELAY}
         */
        public Release {
            if (delay.compareTo(RecordUpdate.LONGEST_DELAY) > 0) {
                throw new IllegalArgumentException("delay " + delay + " is longer than " + RecordUpdate.LONGEST_DELAY
                        + ", 100 years; return WorkResult.Reject for work that is never to run again");
            }
        }
    }

    /** It took no effect and never will, for {@code reason}. */
    record Reject<T>(T value, String reason) implements WorkResult<T> {

        /** Refuses a reason that is null. */
        public Reject {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
