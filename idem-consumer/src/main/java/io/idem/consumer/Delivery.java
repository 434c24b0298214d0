package io.idem.consumer;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One delivery of one message, from the broker's hand-over to its settlement. The delivery hook makes it and
 * {@linkplain CurrentDelivery binds} it to the thread; the deciding interceptor leaves its verdict here; the hook settles by
 * the last verdict. Confined to the delivering thread.
 */
public final class Delivery {

    private final DeliveredMessage message;
    private @Nullable DeliveryVerdict verdict;

    /** A delivery without a verdict. */
    public Delivery(DeliveredMessage message) {
        this.message = message;
    }

    /** The message. */
    public DeliveredMessage message() {
        return message;
    }

    /** Leaves a verdict; a retry inside the container replaces the one before. */
    public void decide(DeliveryVerdict by) {
        verdict = by;
    }

    /** The last verdict; empty if no idempotent listener method was reached. */
    public Optional<DeliveryVerdict> verdict() {
        return Optional.ofNullable(verdict);
    }

    /** Forgets the verdict before the message is handed to the listener once more. */
    public void reset() {
        verdict = null;
    }

    @Override
    public String toString() {
        return message + " -> " + verdict;
    }
}
