package io.idem;

import io.idem.spi.StoredResult;
import java.time.Duration;

/**
 * What a piece of work says of itself when it returns. An exception counts as {@link Release} without delay.
 *
 * @param <T> what the caller gets back
 */
public sealed interface Verdict<T> {

    /** What the caller gets back. */
    T value();

    /**
     * It took effect.
     *
     * @param result what duplicates are answered with
     * @param shortened what they are answered with if {@code result} is too large or cannot be kept
     */
    record Complete<T>(T value, StoredResult result, StoredResult shortened) implements Verdict<T> {

        /** The same for a result of which nothing is left when it cannot be kept. */
        public Complete(T value, StoredResult result) {
            this(value, result, StoredResult.OMITTED);
        }
    }

    /** It took no effect; another attempt may run after {@code delay}. */
    record Release<T>(T value, Duration delay) implements Verdict<T> {}

    /** It took no effect and never will, for {@code reason}. */
    record Reject<T>(T value, String reason) implements Verdict<T> {}
}
