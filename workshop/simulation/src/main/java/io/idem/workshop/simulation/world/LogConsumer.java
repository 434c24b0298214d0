package io.idem.workshop.simulation.world;

import io.idem.workshop.simulation.kernel.Machine;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A member of the group, with one thread that polls its partitions in turn. A deferred record pauses only its own
 * partition.
 */
final class LogConsumer {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration WAY = Duration.ofMillis(2);

    private final World world;
    private final LogBroker broker;
    private final Worker worker;
    private final Map<LogPartition, Position> positions = new HashMap<>();
    private final Map<String, String> attempts = new HashMap<>();
    private int generation;

    LogConsumer(World world, LogBroker broker, Worker worker) {
        this.world = world;
        this.broker = broker;
        this.worker = worker;
    }

    Machine machine() {
        return worker.machine();
    }

    void run() {
        while (true) {
            poll();
            world.pause(POLL);
        }
    }

    private void poll() {
        if (!broker.isMember(this)) {
            broker.join(this);
        }
        if (generation != broker.generation()) {
            generation = broker.generation();
            positions.clear();
        }
        for (LogPartition partition : broker.partitionsOf(this)) {
            Position position = positions.computeIfAbsent(partition, fresh -> new Position(fresh.committed()));
            if (partition.has(position.offset) && world.kernel().now() >= position.restsUntil) {
                process(partition, position);
            }
        }
    }

    private void process(LogPartition partition, Position position) {
        int generationOfRecord = generation;
        if (world.setup().flaw().acknowledgesFirst()) {
            commit(partition, generationOfRecord, position.offset + 1);
        }
        Duration rest = handle(partition, position);
        if (rest.isZero()) {
            position.next();
            commit(partition, generationOfRecord, position.offset);
        } else {
            position.rest(world.kernel().now() + rest.toNanos());
        }
    }

    private Duration handle(LogPartition partition, Position position) {
        Attempts names = world.attempts();
        names.begin();
        try {
            return worker.handle(partition.key(position.offset), position.offset, position.failures);
        } finally {
            attempts.put(partition + "/" + position.offset, names.current());
            names.end();
        }
    }

    /** Returns the attempt that looked at a record last. */
    String attempt(LogPartition partition, int offset) {
        return attempts.getOrDefault(partition + "/" + offset, Attempts.NOBODY);
    }

    private void commit(LogPartition partition, int ofGeneration, int offset) {
        world.step("before the offset of " + partition);
        world.kernel()
                .soon(world.about(WAY), world.outside(), () -> broker.commit(this, ofGeneration, partition, offset));
        world.pause(WAY);
        world.step("after the offset of " + partition);
    }

    private static final class Position {

        private final Failures failures = new Failures();
        private int offset;
        private long restsUntil;

        Position(int offset) {
            this.offset = offset;
        }

        void next() {
            offset++;
            failures.forget();
        }

        void rest(long until) {
            restsUntil = until;
        }
    }

    /** The number of failures of a record. */
    static final class Failures {

        private int count;

        int another() {
            count++;
            return count;
        }

        void forget() {
            count = 0;
        }
    }
}
