package io.idem.consumer.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Holds back what a batch listener says to the broker until its work is recorded. Its positions are those of the records that the
 * listener got; the container's are those of the whole batch. Thread-safe.
 */
final class HeldAcknowledgment implements Acknowledgment {

    private final Acknowledgment container;
    private final PartialAcks partialAcks;
    private List<Integer> positions = List.of();
    private boolean released;
    private boolean acknowledged;
    private int acknowledgedUpTo = -1;
    private @Nullable Nack nack;

    private HeldAcknowledgment(Acknowledgment container, PartialAcks partialAcks) {
        this.container = container;
        this.partialAcks = partialAcks;
    }

    static @Nullable HeldAcknowledgment of(@Nullable Acknowledgment container, PartialAcks partialAcks) {
        return container == null ? null : new HeldAcknowledgment(container, partialAcks);
    }

    /** Which records of the batch the listener gets. */
    synchronized void handedOver(List<Integer> chosen) {
        positions = chosen;
    }

    @Override
    public synchronized void acknowledge() {
        acknowledged = true;
        if (released) {
            container.acknowledge();
        }
    }

    @Override
    public synchronized void acknowledge(int index) {
        partialAcks.require();
        if (index <= acknowledgedUpTo || index >= positions.size()) {
            throw new IllegalArgumentException("index " + index + " is not between " + (acknowledgedUpTo + 1) + " and "
                    + (positions.size() - 1) + ", the records that are not acknowledged yet");
        }
        acknowledgedUpTo = index;
        if (released) {
            container.acknowledge(positions.get(index));
        }
    }

    /** The listener wants the records from this one on again: they do not count as done, even if it returns. */
    @Override
    public synchronized void nack(int index, Duration sleep) {
        if (released) {
            throw new IllegalStateException("nack() can only be called before the listener returns");
        }
        if (index < 0 || index >= positions.size() || sleep.isNegative()) {
            throw new IllegalArgumentException("index " + index + " is not one of the " + positions.size()
                    + " records of the batch, or sleep " + sleep + " is negative");
        }
        nack = new Nack(index, sleep);
    }

    /** How many records, from the first, the listener acknowledged by index: they are done whatever becomes of the others. */
    synchronized int acknowledgedByIndex() {
        return acknowledgedUpTo + 1;
    }

    synchronized Optional<Nack> nack() {
        return Optional.ofNullable(nack);
    }

    @Override
    public boolean isOutOfOrderCommit() {
        return container.isOutOfOrderCommit();
    }

    /** Lets through what the listener said so far, and everything it says from now on. On the consumer's thread. */
    synchronized void release() {
        released = true;
        if (acknowledged) {
            container.acknowledge();
        } else if (acknowledgedUpTo >= 0) {
            container.acknowledge(positions.get(acknowledgedUpTo));
        }
    }

    @Override
    public String toString() {
        return "held " + container;
    }

    /** From which record on the listener wants its records again, and after how long. */
    record Nack(int index, Duration sleep) {}
}
