package io.idem.spi;

import io.idem.Claim;
import io.idem.IdempotencyContext.Binding;
import org.jspecify.annotations.Nullable;

/**
 * An execution, as an {@link ExecutionObserver} sees it. Its methods are called one after the other, on any threads;
 * parts of the work may be {@linkplain #enter() entered}, and {@linkplain #step steps} begun, on several threads at
 * once. {@link #ended} is called once and last, unless the process dies.
 */
public interface ObservedExecution {

    /** Execution that is not observed. */
    ObservedExecution NONE = new ObservedExecution() {};

    /** Called when the store has answered the acquire. */
    default void acquired(Claim claim) {}

    /**
     * Called when a part of the work begins on the calling thread. The part ends, on the same thread, when the returned
     * binding is closed.
     */
    default Binding enter() {
        return () -> {};
    }

    /**
     * Called when the work of a step begins, on any thread. Not called for a step whose result is known without its
     * work.
     *
     * @param name the name of the step, without its item
     */
    default ObservedStep step(String name) {
        return ObservedStep.NONE;
    }

    /** Called when the work is over; the wait for confirmations and the update of the record follow. */
    default void settling() {}

    /**
     * Called when the execution is over.
     *
     * @param failure exception that the caller gets instead of an outcome; null if there is an outcome
     */
    default void ended(ExecutionEnd end, @Nullable Throwable failure) {}
}
