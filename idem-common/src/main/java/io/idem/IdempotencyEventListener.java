package io.idem;

/** Observes what happens; cannot change it. Called on the working thread: be quick. What it throws is logged and ignored. */
@FunctionalInterface
public interface IdempotencyEventListener {

    /** Called after the fact. */
    void on(IdempotencyEvent event);
}
