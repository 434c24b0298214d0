package io.idem;

import static io.idem.internal.value.Arguments.require;

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
     * @param counted whether the attempt counts, see {@link RecordUpdate.Fail#counted}. The first one and a takeover count anyway
     *     if they have asked for a step
     */
    record Release<T>(T value, Duration delay, String why, boolean counted) implements WorkResult<T> {

        /**
         * Checks the delay.
         *
         * @throws IllegalArgumentException if it is longer than {@link RecordUpdate#LONGEST_DELAY}, or the attempt does not
         *     count and there is one
         */
        public Release {
            if (delay.compareTo(RecordUpdate.LONGEST_DELAY) > 0) {
                throw new IllegalArgumentException("delay " + delay + " is longer than " + RecordUpdate.LONGEST_DELAY
                        + ", 100 years; return WorkResult.Reject for work that is never to run again");
            }
            require(counted || delay.isZero(), "an attempt that does not count is followed by the next one at once");
        }

        /** Creates the result of an attempt that counts. */
        public Release(T value, Duration delay, String why) {
            this(value, delay, why, true);
        }

        /** Creates the result of an attempt that counts and does not say why. */
        public Release(T value, Duration delay) {
            this(value, delay, "");
        }

        /** Returns the result of an attempt whose work was not entered: the key is free at once, and the attempt does not count. */
        public static <T> Release<T> uncounted(T value, String why) {
            return new Release<>(value, Duration.ZERO, why, false);
        }
    }

    /** The work took no effect and never will, for {@code reason}. */
    record Reject<T>(T value, String reason) implements WorkResult<T> {

        public Reject {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
