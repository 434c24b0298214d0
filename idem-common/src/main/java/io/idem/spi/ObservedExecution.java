package io.idem.spi;

import io.idem.Claim;
import io.idem.IdempotencyContext.Binding;
import org.jspecify.annotations.Nullable;

/**
 * One execution, as an {@link ExecutionObserver} sees it. Its methods are called one after the other, on any threads; parts of the work
 * may be {@linkplain #enter() entered} on several threads at once. {@link #ended} is called once and last, but for a process that dies.
 */
public interface ObservedExecution {

    /** Sees nothing. */
    ObservedExecution NONE = new ObservedExecution() {};

    /** The store answered the acquire. */
    default void acquired(Claim claim) {}

    /** The store did not answer the acquire, and the work runs without the store (fail open): its inbox alone decides. */
    default void failOpen() {}

    /** A part of the work begins on the calling thread; it ends, on the same thread, when the answer is closed. */
    default Binding enter() {
        return () -> {};
    }

    /** The work is over; what follows is the wait for confirmations, and its record. */
    default void settling() {}

    /**
     * It is over.
     *
     * @param failure what the caller gets instead of an outcome; null if it gets one
     */
    default void ended(ExecutionEnd end, @Nullable Throwable failure) {}
}
