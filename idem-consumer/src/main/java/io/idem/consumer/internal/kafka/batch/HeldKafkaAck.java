package io.idem.consumer.internal.kafka.batch;

import io.idem.consumer.internal.delivery.OpenWork;
import io.idem.consumer.internal.kafka.message.OpenOffsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Holds back the acknowledgements of a batch listener until its work is recorded. Its positions are those of the
 * records that the listener got; the container's are those of the whole batch. Thread-safe.
 */
final class HeldKafkaAck implements Acknowledgment {

    private final Acknowledgment container;
    private final PartialAcks partialAcks;
    private final Function<Acknowledgment, OpenOffsets.TrackedDelivery> tracking;
    private List<Integer> positions = List.of();
    private boolean released;
    private boolean withdrawn;
    private boolean passed;
    private boolean acknowledged;
    private int acknowledgedUpTo = -1;
    private OpenOffsets.@Nullable TrackedDelivery tracked;
    private @Nullable OpenWork work;
    private @Nullable Nack nack;

    private HeldKafkaAck(
            Acknowledgment container,
            PartialAcks partialAcks,
            Function<Acknowledgment, OpenOffsets.TrackedDelivery> tracking) {
        this.container = container;
        this.partialAcks = partialAcks;
        this.tracking = tracking;
    }

    /**
     * Holds back the acknowledgements of the listener of a batch.
     *
     * @param container null where it does not acknowledge
     * @param tracking tracks the batch if its listener leaves it open
     */
    static @Nullable HeldKafkaAck of(
            @Nullable Acknowledgment container,
            PartialAcks partialAcks,
            Function<Acknowledgment, OpenOffsets.TrackedDelivery> tracking) {
        return container == null ? null : new HeldKafkaAck(container, partialAcks, tracking);
    }

    /** Sets the records of the batch that the listener gets. */
    synchronized void handedOver(List<Integer> chosen) {
        positions = chosen;
    }

    /**
     * Completes the records first if the listener has returned, on the calling thread; a failure to record them is
     * thrown.
     */
    @Override
    public void acknowledge() {
        OpenWork unfinished;
        OpenOffsets.TrackedDelivery open;
        synchronized (this) {
            acknowledged = true;
            unfinished = work;
            open = tracked;
            if (unfinished == null || open == null) {
                if (released) {
                    container.acknowledge();
                }
                return;
            }
        }
        unfinished.complete();
        open.acknowledge();
    }

    /** Leaves the records to the listener that it has not settled, and returns their positions. */
    synchronized List<Integer> leaveOpen(Function<List<Integer>, OpenWork> unfinished) {
        if (acknowledged || nack != null || acknowledgedUpTo + 1 >= positions.size()) {
            return List.of();
        }
        List<Integer> rest =
                IntStream.range(acknowledgedUpTo + 1, positions.size()).boxed().toList();
        OpenWork open = unfinished.apply(rest);
        work = open;
        tracked = tracking.apply(this::pass);
        tracked.leftOpen(open);
        return rest;
    }

    /**
     * Passes the acknowledgement on, but not before the delivering thread knows that no record of the batch comes
     * again.
     */
    private synchronized void pass() {
        passed = true;
        if (!released || withdrawn) {
            return;
        }
        if (acknowledgedUpTo < 0) {
            container.acknowledge();
        } else if (tracked != null && tracked.isOnConsumerThread()) {
            container.acknowledge(positions.get(positions.size() - 1));
        }
        // Otherwise the next batch commits it: only the consumer's thread can go on with a partial acknowledgement.
    }

    /**
     * Notes that a record of the batch comes again: later settlements of the listener end its work and are not passed
     * on.
     */
    synchronized void withdraw() {
        withdrawn = true;
        if (tracked != null) {
            tracked.withdrawn();
        }
    }

    @Override
    public synchronized void acknowledge(int index) {
        partialAcks.require();
        if (work != null) {
            throw new IllegalStateException(
                    "acknowledge(index) can only be called before the listener returns; use acknowledge()");
        }
        if (index <= acknowledgedUpTo || index >= positions.size()) {
            throw new IllegalArgumentException("index " + index + " is not between " + (acknowledgedUpTo + 1) + " and "
                    + (positions.size() - 1) + ", the records that are not acknowledged yet");
        }
        acknowledgedUpTo = index;
        if (released) {
            container.acknowledge(positions.get(index));
        }
    }

    /**
     * Notes that the listener wants the records from this one on again: they do not count as done, even if it returns.
     */
    @Override
    public synchronized void nack(int index, Duration sleep) {
        if (tracked != null) {
            tracked.refused();
        }
        if (released || tracked != null) {
            throw new IllegalStateException("nack() can only be called before the listener returns");
        }
        if (index < 0 || index >= positions.size() || sleep.isNegative()) {
            throw new IllegalArgumentException("index " + index + " is not one of the " + positions.size()
                    + " records of the batch, or sleep " + sleep + " is negative");
        }
        nack = new Nack(index, sleep);
    }

    /**
     * Returns how many records, from the first, the listener acknowledged by index: they are done whatever happens to
     * the others.
     */
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

    /** Passes on all settlements of the listener so far, and all later ones. On the consumer's thread. */
    synchronized void release() {
        released = true;
        if (passed || (acknowledged && work == null)) {
            container.acknowledge();
        } else if (acknowledgedUpTo >= 0) {
            container.acknowledge(positions.get(acknowledgedUpTo));
        }
    }

    @Override
    public String toString() {
        return "held " + container;
    }

    /** The record from which on the listener wants its records again, and after how long. */
    record Nack(int index, Duration sleep) {}
}
