package io.idem.consumer.internal.kafka.share;

import io.idem.consumer.internal.delivery.Delivery;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.ShareAcknowledgment;

/**
 * Holds back the listener's settlement of a share group's record until its work is recorded. Once the delivery is
 * settled, calls go straight through. Thread-safe.
 */
final class DeferredShareAcknowledgment implements ShareAcknowledgment {

    private final ShareAcknowledgment container;
    private final Delivery delivery;
    private boolean released;
    private boolean settled;
    private @Nullable Runnable said;

    DeferredShareAcknowledgment(ShareAcknowledgment container, Delivery delivery) {
        this.container = container;
        this.delivery = delivery;
    }

    @Override
    public synchronized void acknowledge() {
        say(container::acknowledge);
    }

    /** Notes that the listener wants its record again: its work does not count as done, even if it returns. */
    @Override
    public synchronized void release() {
        handBack();
        say(container::release);
    }

    /**
     * Notes that the listener rejects the record, which is archived: its work does not count as done, even if it
     * returns.
     */
    @Override
    public synchronized void reject() {
        handBack();
        say(container::reject);
    }

    @Override
    public void renew() {
        container.renew();
    }

    private void handBack() {
        if (!released) {
            delivery.handBack();
        }
    }

    private void say(Runnable word) {
        if (released) {
            word.run();
        } else {
            said = word;
        }
    }

    /** Returns an acknowledgement for settling without the listener. */
    Acknowledgment settling() {
        return () -> {
            settled = true;
            container.acknowledge();
        };
    }

    /** Passes on the listener's settlement so far, and all later ones; none if the record was settled without it. */
    synchronized void letThrough() {
        released = true;
        if (!settled && said != null) {
            said.run();
        }
    }
}
