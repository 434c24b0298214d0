package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.internal.delivery.OpenWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.support.Acknowledgment;

/**
 * Records that the containers of one listener have delivered and that are not acknowledged, by offset. An
 * acknowledgement commits all records before it in its partition, so it is passed on when none in front of it is open.
 * Thread-safe.
 */
public final class OpenOffsets {

    private static final Logger LOG = LoggerFactory.getLogger(OpenOffsets.class);

    private final Map<TopicPartition, NavigableMap<Long, TrackedDelivery>> partitions = new HashMap<>();
    /** Consumers whose error handler has just recovered a record that must not be committed yet. */
    private final Set<Thread> keptBack = new HashSet<>();
    /** Partitions whose records were kept from their filter, and do not run before the filter has seen them. */
    private final Set<TopicPartition> unfiltered = new HashSet<>();

    /**
     * Adds a record that is about to be delivered on the calling thread. One that was delivered before at its offset
     * has come again.
     */
    public TrackedDelivery delivered(ConsumerRecord<?, ?> record, Acknowledgment container) {
        return delivered(List.of(record), container);
    }

    /** Adds a batch, which is acknowledged as a whole. */
    public TrackedDelivery delivered(List<? extends ConsumerRecord<?, ?>> records, Acknowledgment container) {
        Map<TopicPartition, Long> last = new HashMap<>();
        records.forEach(record -> last.merge(partition(record), record.offset(), Math::max));
        TrackedDelivery delivery = new TrackedDelivery(last, container);
        synchronized (this) {
            if (delivery.offsets.entrySet().stream().noneMatch(this::isStillOpen)) {
                track(delivery);
            }
        }
        return delivery;
    }

    public static TopicPartition partition(ConsumerRecord<?, ?> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    /**
     * Returns whether a record comes again while its listener has not acknowledged it: the open delivery keeps its
     * place.
     */
    private boolean isStillOpen(Map.Entry<TopicPartition, Long> offset) {
        NavigableMap<Long, TrackedDelivery> queue = partitions.get(offset.getKey());
        TrackedDelivery there = queue == null ? null : queue.get(offset.getValue());
        return there != null && (there.state == State.OPEN || there.state == State.REFUSED);
    }

    private void track(TrackedDelivery delivery) {
        delivery.tracked = true;
        delivery.offsets.forEach((partition, offset) ->
                partitions.computeIfAbsent(partition, first -> new TreeMap<>()).put(offset, delivery));
        delivery.waitsFor = delivery.offsets.size();
    }

    private void untrack(TrackedDelivery delivery) {
        delivery.tracked = false;
        delivery.offsets.forEach((partition, offset) -> {
            NavigableMap<Long, TrackedDelivery> queue = partitions.get(partition);
            if (queue != null && queue.remove(offset, delivery) && queue.isEmpty()) {
                partitions.remove(partition);
            }
        });
    }

    /** Returns whether a record of a partition waits for its listener's acknowledgement. */
    synchronized boolean isOpen(TopicPartition partition) {
        NavigableMap<Long, TrackedDelivery> queue = partitions.get(partition);
        return queue != null && queue.values().stream().anyMatch(delivery -> delivery.state == State.OPEN);
    }

    /**
     * Returns whether records of a partition are not to run yet, because one in front of them is open or because they
     * were not filtered.
     */
    public synchronized boolean holdsUp(TopicPartition partition) {
        return unfiltered.contains(partition) || isOpen(partition);
    }

    /**
     * Returns the partitions of a batch that are not to be filtered yet. On the consumer's thread, before the batch is
     * delivered: {@link #holdsUp} is true of them, whatever is acknowledged meanwhile.
     */
    public synchronized Set<TopicPartition> keepWaiting(Set<TopicPartition> delivered) {
        unfiltered.removeAll(delivered);
        Set<TopicPartition> waiting = delivered.stream().filter(this::isOpen).collect(Collectors.toSet());
        unfiltered.addAll(waiting);
        return waiting;
    }

    /** Returns whether a record waits for its listener's acknowledgement. */
    public synchronized boolean isAnyOpen() {
        return partitions.keySet().stream().anyMatch(this::isOpen);
    }

    /**
     * Notes that the error handler has recovered a record on the calling consumer's thread. Where work in front of it
     * is open, the container must not commit it; then it is committed with that work.
     */
    public synchronized void recovered(ConsumerRecord<?, ?> record) {
        TopicPartition partition = partition(record);
        NavigableMap<Long, TrackedDelivery> queue = partitions.getOrDefault(partition, new TreeMap<>());
        TrackedDelivery failed = queue.get(record.offset());
        boolean behindOpenWork = !queue.headMap(record.offset()).isEmpty();
        if (behindOpenWork) {
            if (failed == null) {
                // The record never reached the hook, so its listener cannot acknowledge it: the next acknowledgement
                // does.
                track(new TrackedDelivery(Map.of(partition, record.offset()), () -> {}).acknowledged());
            } else {
                failed.state = State.ACKNOWLEDGED;
            }
            keptBack.add(Thread.currentThread());
        } else {
            if (failed != null) {
                untrack(failed);
            }
            keptBack.remove(Thread.currentThread());
        }
    }

    /** Notes that a failed record comes again. */
    public synchronized void redelivered(ConsumerRecord<?, ?> record) {
        NavigableMap<Long, TrackedDelivery> queue = partitions.get(partition(record));
        TrackedDelivery failed = queue == null ? null : queue.get(record.offset());
        if (failed != null && failed.state == State.RUNNING) {
            untrack(failed);
        }
    }

    /**
     * Returns whether the container of the calling consumer's thread must not commit the record that was recovered
     * last.
     */
    public synchronized boolean isKeptBack() {
        return keptBack.contains(Thread.currentThread());
    }

    /**
     * Ends partitions that went to another consumer: the leases of their work are not renewed any longer, and no
     * acknowledgement is passed on.
     */
    public void revoked(Collection<TopicPartition> lost) {
        List<TrackedDelivery> ended = new ArrayList<>();
        synchronized (this) {
            for (TopicPartition partition : lost) {
                unfiltered.remove(partition);
                NavigableMap<Long, TrackedDelivery> queue = partitions.remove(partition);
                if (queue != null) {
                    ended.addAll(queue.values());
                }
            }
        }
        ended.forEach(TrackedDelivery::end);
    }

    /** Ends the partitions of the calling thread's consumer. */
    public void consumerEnded() {
        Set<TopicPartition> own = new HashSet<>();
        synchronized (this) {
            keptBack.remove(Thread.currentThread());
            partitions.forEach((partition, queue) -> {
                if (queue.values().stream().allMatch(TrackedDelivery::isOnConsumerThread)) {
                    own.add(partition);
                }
            });
        }
        revoked(own);
    }

    private enum State {
        RUNNING,
        OPEN,
        ACKNOWLEDGED,
        /**
         * The listener wanted the record back when that was not possible any more. No record behind it is committed.
         */
        REFUSED
    }

    /** A delivery with its offsets and its container's acknowledgement, which is passed on in its turn. */
    public final class TrackedDelivery implements Acknowledgment {

        private final Map<TopicPartition, Long> offsets;
        private final Acknowledgment container;
        private final Thread consumer = Thread.currentThread();
        private State state = State.RUNNING;
        private int waitsFor;
        private boolean tracked;
        private @Nullable OpenWork work;

        private TrackedDelivery(Map<TopicPartition, Long> offsets, Acknowledgment container) {
            this.offsets = offsets;
            this.container = container;
        }

        private TrackedDelivery acknowledged() {
            state = State.ACKNOWLEDGED;
            return this;
        }

        public boolean isOnConsumerThread() {
            return Thread.currentThread().equals(consumer);
        }

        /** Leaves the delivery open: its listener has returned and acknowledges later. */
        public void leftOpen(@Nullable OpenWork open) {
            synchronized (OpenOffsets.this) {
                if (state == State.RUNNING) {
                    state = State.OPEN;
                }
                work = open;
            }
        }

        /**
         * Notes that the listener has returned; a record that is neither acknowledged nor left open holds up no other
         * record.
         */
        public void returned() {
            synchronized (OpenOffsets.this) {
                if (state == State.RUNNING) {
                    untrack(this);
                }
            }
        }

        /**
         * Takes out a record that comes again although its listener has it: its acknowledgement ends its work and is
         * not passed on.
         */
        public void withdrawn() {
            synchronized (OpenOffsets.this) {
                untrack(this);
            }
        }

        /** Notes that its listener wants it again, too late. */
        public void refused() {
            synchronized (OpenOffsets.this) {
                state = State.REFUSED;
            }
            end();
        }

        private void end() {
            OpenWork open = work();
            if (open != null) {
                open.leave();
            }
        }

        private @Nullable OpenWork work() {
            synchronized (OpenOffsets.this) {
                return work;
            }
        }

        /** Acknowledges this delivery alone. */
        @Override
        public void acknowledge() {
            List<Acknowledgment> next = new ArrayList<>();
            synchronized (OpenOffsets.this) {
                if (state == State.ACKNOWLEDGED) {
                    return;
                }
                state = State.ACKNOWLEDGED;
                if (!tracked) {
                    track(this);
                }
                offsets.keySet().forEach(partition -> drain(partition, next));
                forgetCovered();
            }
            next.forEach(Acknowledgment::acknowledge);
        }

        /** Forgets acknowledged records in front of another acknowledged one: only the last one has to be passed on. */
        private void forgetCovered() {
            if (offsets.size() > 1) {
                return;
            }
            offsets.forEach((partition, offset) -> {
                NavigableMap<Long, TrackedDelivery> queue = partitions.get(partition);
                if (queue != null && queue.get(offset) == this) {
                    forgetIfAcknowledged(queue, queue.lowerEntry(offset));
                    Map.Entry<Long, TrackedDelivery> next = queue.higherEntry(offset);
                    if (next != null && next.getValue().state == State.ACKNOWLEDGED) {
                        queue.remove(offset);
                    }
                }
            });
        }

        private static void forgetIfAcknowledged(
                NavigableMap<Long, TrackedDelivery> queue, Map.@Nullable Entry<Long, TrackedDelivery> covered) {
            if (covered != null && covered.getValue().state == State.ACKNOWLEDGED) {
                queue.remove(covered.getKey());
            }
        }

        /**
         * Acknowledges this delivery, and the earlier ones of its partitions that their listener has left open. Blocks.
         */
        void acknowledgeWithEarlier() {
            earlier().forEach(TrackedDelivery::acknowledgeCovered);
            acknowledge();
        }

        private List<TrackedDelivery> earlier() {
            List<TrackedDelivery> open = new ArrayList<>();
            synchronized (OpenOffsets.this) {
                offsets.forEach((partition, offset) -> {
                    NavigableMap<Long, TrackedDelivery> queue = partitions.get(partition);
                    if (queue != null) {
                        queue.headMap(offset).values().stream()
                                .filter(delivery -> delivery.state == State.OPEN)
                                .forEach(open::add);
                    }
                });
            }
            return open;
        }

        private void acknowledgeCovered() {
            try {
                OpenWork open = work();
                if (open != null) {
                    open.complete();
                }
                acknowledge();
            } catch (IllegalStateException notRecorded) {
                LOG.warn(
                        "An acknowledgement covers an earlier record, which stays uncommitted: {}",
                        notRecorded.getMessage());
            }
        }

        @Override
        public void nack(Duration sleep) {
            container.nack(sleep);
        }

        @Override
        public boolean isOutOfOrderCommit() {
            return container.isOutOfOrderCommit();
        }

        @Override
        public String toString() {
            return container.toString();
        }
    }

    private void drain(TopicPartition partition, List<Acknowledgment> next) {
        NavigableMap<Long, TrackedDelivery> queue = partitions.get(partition);
        while (queue != null && !queue.isEmpty() && queue.firstEntry().getValue().state == State.ACKNOWLEDGED) {
            TrackedDelivery first = queue.pollFirstEntry().getValue();
            first.waitsFor--;
            if (first.waitsFor == 0) {
                next.add(first.container);
            }
        }
        if (queue != null && queue.isEmpty()) {
            partitions.remove(partition);
        }
    }
}
