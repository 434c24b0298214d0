package io.idem;

import java.time.Duration;
import java.util.Objects;

/**
 * The result of a piece of work, as the work reports it. An exception counts as {@link Release} without delay.
 *
 * @param <T> the type of the value that the caller gets back
 */
public sealed interface WorkResult<T> {

    /** Returns the value that the caller gets back. */
    T value();

    /**
     * The work took effect.
     *
     * @param value the value that the caller gets back
     * @param result the result with which duplicates are answered
     * @param shortened the result with which they are answered if {@code result} is too large or cannot be kept
     */
    record Complete<T>(T value, StoredResult result, StoredResult shortened) implements WorkResult<T> {

        public Complete {
            Objects.requireNonNull(result, "result");
            Objects.requireNonNull(shortened, "shortened");
        }

        /** Creates the result of work from which nothing is kept if {@code result} is too large or cannot be kept. */
        public Complete(T value, StoredResult result) {
            this(value, result, StoredResult.OMITTED);
        }
    }

    /**
     * The work took no effect; another attempt may run after {@code delay}.
     *
     * @param why the class of the exception, or what else kept the work from its effect, for operators; without text of
     *     clients, possibly empty
     */
    record Release<T>(T value, Duration delay, String why) implements WorkResult<T> {

        /**
         * Checks the delay.
         *
         * @throws IllegalArgumentException if it is longer than {@link RecordUpdate#LONGEST_DELAY}
         */
        public Release {
            if (delay.compareTo(RecordUpdate.LONGEST_DELAY) > 0) {
                throw new IllegalArgumentException("delay " + delay + " is longer than " + RecordUpdate.LONGEST_DELAY
                        + ", 100 years; return WorkResult.Reject for work that is never to run again");
            }
        }

        /** Creates the result of work that does not say why. */
        public Release(T value, Duration delay) {
            this(value, delay, "");
        }
    }

    /** The work took no effect and never will, for {@code reason}. */
    record Reject<T>(T value, String reason) implements WorkResult<T> {

        public Reject {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
