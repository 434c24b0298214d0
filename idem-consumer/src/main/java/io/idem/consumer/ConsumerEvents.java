package io.idem.consumer;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes events to all listeners. A listener that throws affects neither the delivery nor the next listener.
 * Thread-safe.
 */
public final class ConsumerEvents {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerEvents.class);

    private final List<ConsumerEventListener> listeners;

    public ConsumerEvents(List<ConsumerEventListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /** Calls all listeners with an event. */
    public void publish(ConsumerEvent event) {
        for (ConsumerEventListener listener : listeners) {
            try {
                listener.on(event);
            } catch (RuntimeException ignored) {
                LOG.warn("Event listener {} failed on {}; the delivery is not affected", listener, event, ignored);
            }
        }
    }
}
