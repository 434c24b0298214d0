package io.idem;

/**
 * Listener for events of executions, which it cannot change. Called on the working thread and must return quickly.
 * Exceptions of a listener are logged and ignored. Thread-safe.
 */
@FunctionalInterface
public interface IdempotencyEventListener {

    /** Receives an event after the fact. */
    void on(IdempotencyEvent event);
}
