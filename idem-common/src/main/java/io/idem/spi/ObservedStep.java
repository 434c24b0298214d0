package io.idem.spi;

import io.idem.IdempotencyContext.Binding;
import io.idem.IdempotencyEvent.StepEnded.How;

/**
 * A step whose work runs, as an {@link ExecutionObserver} sees it. Parts of its work may be {@linkplain #enter()
 * entered} on several threads at once. Must not block; its exceptions are logged and ignored. {@link #ended} is called
 * once and last, unless the process dies.
 */
public interface ObservedStep {

    /** Step that is not observed. */
    ObservedStep NONE = new ObservedStep() {};

    /**
     * Called when a part of the step's work begins on the calling thread, inside a part of the execution. The part
     * ends, on the same thread, when the returned binding is closed.
     */
    default Binding enter() {
        return () -> {};
    }

    /** Called when the step's result is remembered or dropped, or its work has failed. */
    default void ended(How how) {}
}
