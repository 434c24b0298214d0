package io.idem.spi;

import io.idem.Operation;
import java.util.List;

/**
 * Observer of executions, from before their acquire to their end, and around the work while it runs: for traces,
 * timings and log contexts. Cannot change anything; {@link io.idem.IdempotencyEventListener}s are told what happens to
 * records. Thread-safe; must not block. Its exceptions are logged and ignored.
 */
@FunctionalInterface
public interface ExecutionObserver {

    /** Observer that does nothing. */
    ExecutionObserver NONE = operation -> ObservedExecution.NONE;

    /** Returns several observers as one; the first is outermost. */
    static ExecutionObserver of(List<ExecutionObserver> observers) {
        if (observers.isEmpty()) {
            return NONE;
        }
        return observers.size() == 1 ? observers.get(0) : new ObserverList(List.copyOf(observers));
    }

    /** Begins an execution. Called before the store is asked. */
    ObservedExecution begin(Operation operation);
}
