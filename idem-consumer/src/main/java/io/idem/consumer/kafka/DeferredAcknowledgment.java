package io.idem.consumer.kafka;

import io.idem.consumer.delivery.Delivery;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Holds back what the listener says to the broker until its work is recorded: an offset committed before COMPLETE would lose
 * the message if the process died in between. Once the delivery is settled, calls go straight through. Thread-safe.
 */
final class DeferredAcknowledgment implements Acknowledgment {

    private final Acknowledgment container;
    private final Delivery delivery;
    private boolean open;
    private boolean held;
    private @Nullable Duration nack;

    DeferredAcknowledgment(Acknowledgment container, Delivery delivery) {
        this.container = container;
        this.delivery = delivery;
    }

    @Override
    public synchronized void acknowledge() {
        held = !open;
        if (open) {
            container.acknowledge();
        }
    }

    /**
     * The listener wants its record again: its work does not count as done, even if it returns. A container that commits out of order
     * refuses this, and the listener is to hear of it.
     */
    @Override
    public synchronized void nack(Duration sleep) {
        if (open || isOutOfOrderCommit()) {
            container.nack(sleep);
        } else {
            delivery.handBack();
            nack = sleep;
        }
    }

    @Override
    public boolean isOutOfOrderCommit() {
        return container.isOutOfOrderCommit();
    }

    /** Lets through what is said from now on, and keeps what was said so far. */
    synchronized void open() {
        open = true;
    }

    /** Lets through what the listener said so far, and everything it says from now on. On the consumer's thread if it said nack. */
    synchronized void release() {
        open = true;
        if (nack != null) {
            container.nack(nack);
        } else if (held) {
            container.acknowledge();
        }
    }

    @Override
    public String toString() {
        return "deferred " + container;
    }
}
