package io.idem.workshop.simulation.world;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A partitioned log with one consumer group: offsets, rebalances when members join, die or stand still for too long,
 * refused commits of members that have lost their partition, and offsets that are set back.
 */
final class LogBroker implements Destination {

    private static final int PARTITIONS = 2;
    private static final int LONGEST_REWIND = 3;
    private static final Duration SESSION = Duration.ofSeconds(6);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final World world;
    private final Function<RecordId, Optional<RecordSnapshot>> records;
    private final List<LogPartition> partitions = Stream.iterate(0, i -> i + 1)
            .limit(PARTITIONS)
            .map(LogPartition::new)
            .toList();
    private final List<LogConsumer> members = new ArrayList<>();
    private int generation;

    /** @param records read the record of a message when it is acknowledged */
    LogBroker(World world, Function<RecordId, Optional<RecordSnapshot>> records) {
        this.world = world;
        this.records = records;
    }

    @Override
    public CompletableFuture<Boolean> publish(String key) {
        return new Publishing(world).publish(key, this::arrive);
    }

    private void arrive(String key) {
        world.trace("log: " + key + " arrives");
        world.history().count("messages");
        partitions.get(Math.floorMod(key.hashCode(), PARTITIONS)).append(key);
    }

    @Override
    public boolean isEmpty() {
        return partitions.stream().allMatch(LogPartition::isDone);
    }

    @Override
    public void consume(Worker worker) {
        LogConsumer consumer = new LogConsumer(world, this, worker);
        world.kernel().after(0, worker.machine(), consumer::run);
        world.kernel()
                .soon(
                        LOOK.toNanos(),
                        world.outside(),
                        () -> watch(consumer, world.kernel().now()));
    }

    /** Removes a consumer from the group if it is dead or has stood still for longer than its session. */
    private void watch(LogConsumer consumer, long lastAwake) {
        long now = world.kernel().now();
        boolean asleep = consumer.machine().frozenUntil() > now;
        if (consumer.machine().dead() || (asleep && now - lastAwake > SESSION.toNanos())) {
            leave(consumer);
        }
        if (!consumer.machine().dead()) {
            long awake = asleep ? lastAwake : now;
            world.kernel().soon(LOOK.toNanos(), world.outside(), () -> watch(consumer, awake));
        }
    }

    boolean isMember(LogConsumer consumer) {
        return members.contains(consumer);
    }

    void join(LogConsumer consumer) {
        members.add(consumer);
        rebalance();
    }

    private void leave(LogConsumer consumer) {
        if (members.remove(consumer)) {
            world.trace("log: " + consumer.machine() + " leaves the group");
            rebalance();
        }
    }

    private void rebalance() {
        generation++;
        for (int i = 0; i < PARTITIONS; i++) {
            partitions.get(i).assign(members.isEmpty() ? null : members.get((i + generation) % members.size()));
        }
    }

    int generation() {
        return generation;
    }

    List<LogPartition> partitionsOf(LogConsumer consumer) {
        return partitions.stream().filter(partition -> partition.isOf(consumer)).toList();
    }

    /** Commits an offset. Refuses members of an earlier generation. */
    void commit(LogConsumer by, int ofGeneration, LogPartition partition, int offset) {
        if (ofGeneration != generation || !partition.isOf(by)) {
            world.trace("log: refuses " + by.machine() + "'s offset " + offset + " of " + partition);
            return;
        }
        world.trace("log: " + partition + " is done up to " + offset);
        for (int i = partition.committed(); i < offset; i++) {
            String key = partition.key(i);
            world.log().acknowledged(key, by.attempt(partition, i));
            world.history().acknowledged(key, records.apply(world.setup().flaw().consumersRecord(key)));
        }
        partition.commit(offset);
    }

    /** Ends the session of a member, or sets the group back. */
    @Override
    public void disturb() {
        if (world.random().nextBoolean() && !members.isEmpty()) {
            leave(members.get(world.random().nextInt(members.size())));
            return;
        }
        LogPartition partition = partitions.get(world.random().nextInt(PARTITIONS));
        int back = Math.max(0, partition.committed() - 1 - world.random().nextInt(LONGEST_REWIND));
        world.trace("log: " + partition + " is set back to " + back);
        partition.commit(back);
        rebalance();
    }
}
