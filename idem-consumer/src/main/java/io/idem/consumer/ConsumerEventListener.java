package io.idem.consumer;

/**
 * Observes deliveries; cannot change them. Called on the delivering thread: be quick. Its exceptions are logged and
 * otherwise ignored.
 */
@FunctionalInterface
public interface ConsumerEventListener {

    /** Called after the fact. */
    void on(ConsumerEvent event);
}
