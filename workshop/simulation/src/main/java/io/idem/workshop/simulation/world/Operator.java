package io.idem.workshop.simulation.world;

import io.idem.RecordId;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** An operator of an inbox that is the only store: looks at failed records, thinks, and then acts on one. */
record Operator(World world, Database database) {

    private static final Duration BETWEEN = Duration.ofMillis(700);
    private static final Duration THINKING = Duration.ofMillis(1_500);
    private static final int ACTS = 3;

    void run() {
        while (world.faulty()) {
            world.pause(BETWEEN);
            anyFailed().ifPresent(this::act);
        }
    }

    private Optional<RecordId> anyFailed() {
        List<RecordId> failed = database.failed().records().stream()
                .sorted(Comparator.comparing(RecordId::toString))
                .toList();
        return failed.isEmpty()
                ? Optional.empty()
                : Optional.of(failed.get(world.random().nextInt(failed.size())));
    }

    private void act(RecordId record) {
        Optional<FailureTable.Failed> seen = database.failed().of(record);
        world.pause(THINKING);
        seen.ifPresent(failed -> {
            switch (world.random().nextInt(ACTS)) {
                case 0 -> database.release(record, failed.fence());
                case 1 -> database.reopen(record, failed.fence());
                default -> database.complete(record, failed.fence());
            }
        });
    }
}
