package io.idem.workshop.simulation.world;

import io.idem.RecordId;
import io.idem.workshop.simulation.kernel.Kernel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Injects faults at random moments instead of at the steps of a process. */
record FaultDriver(World world, StoreServer store, Database database, Destination broker, Crew crew) {

    private static final Duration BETWEEN = Duration.ofMillis(700);

    void run() {
        Kernel kernel = world.kernel();
        List<Fault> kinds = List.copyOf(world.setup().faults());
        while (world.faulty() && !kinds.isEmpty()) {
            world.pause(BETWEEN);
            if (world.faulty() && kernel.random().nextInt(3) == 0) {
                strike(kinds.get(kernel.random().nextInt(kinds.size())));
            }
        }
    }

    private void strike(Fault fault) {
        switch (fault) {
            case CRASH ->
                crew.anybody().ifPresent(machine -> {
                    world.trace(machine + " dies");
                    world.kernel().crash(machine);
                });
            case FREEZE -> crew.anybody().ifPresent(machine -> world.freeze(machine, "at any moment"));
            case SILENCE -> {
                long nanos = world.random()
                        .nextLong(3 * world.setup().policy().lease().toNanos());
                world.trace("store: silent for " + nanos / 1_000_000 + " ms");
                store.silence(nanos);
            }
            case RECORD_LOST -> anyRecord().ifPresent(store::lose);
            case OLD_STATE -> store.goBack(Duration.ofNanos(world.random().nextLong(2_000_000_000L)));
            case CLOCK_JUMP -> jump();
            case CUT -> broker.disturb();
            case SESSION_LOST -> database.endSession();
            default -> {
                return;
            }
        }
        world.history().count("faults " + fault);
    }

    private Optional<RecordId> anyRecord() {
        List<RecordId> all = store.records();
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of(all.get(world.random().nextInt(all.size())));
    }

    private void jump() {
        long lease = world.setup().policy().lease().toNanos();
        long nanos = world.random().nextLong(-2 * lease, 2 * lease);
        world.trace("store: clock jumps by " + nanos / 1_000_000 + " ms");
        store.jump(nanos);
    }
}
