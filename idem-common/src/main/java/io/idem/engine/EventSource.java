package io.idem.engine;

import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes events to the listeners. The exception of a listener affects neither the work nor the other listeners. */
final class EventSource {

    private static final Logger LOG = LoggerFactory.getLogger(EventSource.class);

    private final List<IdempotencyEventListener> listeners;

    EventSource(List<IdempotencyEventListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    void publish(IdempotencyEvent event) {
        for (IdempotencyEventListener listener : listeners) {
            try {
                listener.on(event);
            } catch (RuntimeException ignored) {
                LOG.warn("Event listener {} failed on {}; the work is not affected", listener, event, ignored);
            }
        }
    }

    /** Publishes the event of an update that was to end an attempt in {@code state}. */
    void publishEnd(Lease lease, StoreAnswer answer, RecordState state) {
        if (answer instanceof StoreAnswer.Ok) {
            publish(new IdempotencyEvent.Settled(lease, state));
        } else if (answer instanceof StoreAnswer.Lost) {
            publish(new IdempotencyEvent.LeaseLost(lease));
        }
    }
}
