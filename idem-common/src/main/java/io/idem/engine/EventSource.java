package io.idem.engine;

import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes events to the listeners. What a listener throws affects neither the work nor the other listeners. */
record EventSource(List<IdempotencyEventListener> listeners) {

    private static final Logger LOG = LoggerFactory.getLogger(EventSource.class);

    EventSource {
        listeners = List.copyOf(listeners);
    }

    void publish(IdempotencyEvent event) {
        log(event);
        for (IdempotencyEventListener listener : listeners) {
            try {
                listener.on(event);
            } catch (Throwable failure) {
                LOG.warn("Event listener {} failed on {}; the work is not affected", listener, event, failure);
            }
        }
    }

    /** Logs what somebody has to know about one record; everything else is for meters. */
    private static void log(IdempotencyEvent event) {
        if (event instanceof IdempotencyEvent.LeaseLost) {
            LOG.warn("{} lost its lease before its commit; this attempt takes no effect", event.record());
        } else if (event instanceof IdempotencyEvent.RecordLost lost) {
            LOG.warn("{} took effect, and its record is gone or another owner's: {}", event.record(), lost.state());
        } else if (event instanceof IdempotencyEvent.DoubleEffectSuspected) {
            LOG.error("{} may have taken effect twice: another owner had completed its record", event.record());
        }
    }

    /** Publishes the event of an update that was to end an attempt in {@code state}. */
    void publishEnd(Lease lease, StoreAnswer answer, RecordState state, String why) {
        if (answer instanceof StoreAnswer.Ok) {
            publish(new IdempotencyEvent.Settled(lease, state, why));
        } else if (answer instanceof StoreAnswer.Lost) {
            publish(new IdempotencyEvent.LeaseLost(lease));
        }
    }
}
