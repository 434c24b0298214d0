package io.idem.spi;

import io.idem.Operation;
import java.util.List;

/**
 * Sees executions from before their acquire to their end, and stands around the work while it runs: for traces, timings and log
 * contexts. Cannot change anything. What happens to records is told by {@link io.idem.IdempotencyEventListener}s. Thread-safe; must
 * not block. What it throws is logged and ignored.
 */
@FunctionalInterface
public interface ExecutionObserver {

    /** Sees nothing. */
    ExecutionObserver NONE = operation -> ObservedExecution.NONE;

    /** Several as one; the first is outermost. */
    static ExecutionObserver of(List<ExecutionObserver> observers) {
        if (observers.isEmpty()) {
            return NONE;
        }
        return observers.size() == 1 ? observers.get(0) : new ObserverList(List.copyOf(observers));
    }

    /** Called before the store is asked. */
    ObservedExecution begin(Operation operation);
}
