package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.OpenWork;
import io.idem.consumer.internal.delivery.OwnSettlement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Holds back the listener's settlement until its work is recorded: an offset committed before COMPLETE would lose the
 * message if the process died in between. Once the delivery is settled, calls go straight through; where the listener
 * has returned without settling, they settle its work first. Thread-safe.
 */
public final class DeferredAcknowledgment implements Acknowledgment, OwnSettlement {

    private final Acknowledgment container;
    private final Delivery delivery;
    private final OpenOffsets.@Nullable TrackedDelivery tracked;
    private boolean open;
    private boolean held;
    private boolean heldOnConsumersThread;
    private boolean leftOpen;
    private boolean failed;
    private @Nullable OpenWork work;
    private @Nullable Duration nack;

    /** Defers an acknowledgement of the container, which the listener or its adapter gives. */
    public DeferredAcknowledgment(Acknowledgment container, Delivery delivery) {
        this.container = container;
        this.delivery = delivery;
        this.tracked = container instanceof OpenOffsets.TrackedDelivery ofListener ? ofListener : null;
    }

    /**
     * Completes the work first if the listener has returned, on the calling thread; a failure to record it is thrown.
     */
    @Override
    public void acknowledge() {
        boolean onConsumersThread = tracked != null && tracked.isOnConsumerThread();
        OpenWork finished;
        synchronized (this) {
            if (!open || failed) {
                held = true;
                heldOnConsumersThread |= onConsumersThread;
                return;
            }
            finished = work;
        }
        if (finished != null) {
            finished.complete();
        }
        pass(onConsumersThread);
    }

    private void pass(boolean withEarlier) {
        if (tracked != null && withEarlier) {
            tracked.acknowledgeWithEarlier();
        } else {
            container.acknowledge();
        }
    }

    /**
     * Notes that the listener wants its record again: its work does not count as done, even if it returns. A container
     * that commits out of order refuses this, and the exception goes to the listener; likewise where the listener has
     * returned, since only the consumer's thread can go back.
     */
    @Override
    public void nack(Duration sleep) {
        boolean tooLate;
        synchronized (this) {
            if (!open && !isOutOfOrderCommit()) {
                delivery.handBack();
                nack = sleep;
                return;
            }
            tooLate = leftOpen;
        }
        if (tooLate && tracked != null) {
            tracked.refused();
            throw new IllegalStateException(
                    "nack() can only be called on the consumer thread, before the listener returns;"
                            + " the record stays uncommitted, its key is left to its lease, and it comes again after a rebalance or a restart");
        }
        container.nack(sleep);
    }

    @Override
    public boolean isOutOfOrderCommit() {
        return container.isOutOfOrderCommit();
    }

    @Override
    public synchronized boolean isSaid() {
        return held || nack != null;
    }

    @Override
    public synchronized boolean leaveOpen(OpenWork unfinished) {
        if (isSaid() || tracked == null) {
            return false;
        }
        work = unfinished;
        open = true;
        leftOpen = true;
        tracked.leftOpen(unfinished);
        return true;
    }

    /**
     * Notes that asynchronous work has failed. The adapter acknowledges a failure before the container's error handler has decided
     * on it; so every acknowledgement is held until {@link #taken}.
     */
    public synchronized void failed() {
        failed = true;
    }

    /** Passes settlements on: an error handler of the application has taken the failure. */
    public synchronized void taken() {
        failed = false;
        open = true;
    }

    /** Passes later settlements on, and keeps the earlier ones. */
    public synchronized void open() {
        open = true;
    }

    /** Passes on all settlements so far, and all later ones. On the consumer's thread after a nack. */
    public void release() {
        synchronized (this) {
            if (failed) {
                return;
            }
            if (!open && !isSaid() && tracked != null && ran()) {
                leftOpen = true;
                tracked.leftOpen(null);
            }
            open = true;
            if (nack == null && !held) {
                return;
            }
        }
        if (nack != null) {
            container.nack(nack);
        } else {
            pass(heldOnConsumersThread && ran());
        }
    }

    /** Returns whether this record's work ran: a filter or an error handler may settle its own record only. */
    private boolean ran() {
        return delivery.decision().orElse(null) instanceof DeliveryDecision.Ran;
    }

    @Override
    public String toString() {
        return "deferred " + container;
    }
}
