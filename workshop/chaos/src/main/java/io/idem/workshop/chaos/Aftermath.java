package io.idem.workshop.chaos;

import io.idem.workshop.chaos.check.Ledger;
import io.idem.workshop.chaos.check.Stories;
import io.idem.workshop.chaos.fault.FaultRecord;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits between two faults until every lane makes progress again, so that each outage is measured separately. */
final class Aftermath {

    private static final long LOOK_MILLIS = 100;

    private final Ledger ledger;
    private final Stories stories;
    private final int lanes;
    private final Duration patience;

    /** Creates an aftermath that waits for {@code patience} at most; after that the next fault strikes anyway. */
    Aftermath(Ledger ledger, Stories stories, int lanes, Duration patience) {
        this.lanes = lanes;
        this.patience = patience;
        this.ledger = ledger;
        this.stories = stories;
    }

    /**
     * Returns when every lane has had an effect since the fault, and the key that was held up is completed or granted
     * again.
     */
    void await(FaultRecord fault, long storiesFrom) {
        until(() -> ledger.lanesSince(fault.healedAt()).size() == lanes);
        String key = fault.key();
        if (key != null) {
            until(() -> isOver(fault, key, storiesFrom));
        }
    }

    private boolean isOver(FaultRecord fault, String key, long storiesFrom) {
        return stories.since(storiesFrom, Set.of(key)).stream()
                .filter(event -> event.scope().equals(fault.scope()))
                .anyMatch(event ->
                        event.what().equals("COMPLETED") || (event.isGrant() && event.at() > fault.struckAt()));
    }

    private void until(BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
    }
}
