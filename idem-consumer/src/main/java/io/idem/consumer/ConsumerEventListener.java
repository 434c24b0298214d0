package io.idem.consumer;

/** Observes deliveries; cannot change them. Called on the delivering thread: be quick. What it throws is logged and ignored. */
@FunctionalInterface
public interface ConsumerEventListener {

    /** Called after the fact. */
    void on(ConsumerEvent event);
}
