package io.idem.engine;

import io.idem.MonotonicClock;
import java.time.Duration;

/** Memory of an outage of the store for a moment, so that work does not wait for the store each time. Thread-safe. */
final class RecentOutage {

    private static final long MOMENT = Duration.ofSeconds(1).toNanos();

    private final MonotonicClock clock;
    private volatile long seenAt;
    private volatile boolean seen;

    RecentOutage(MonotonicClock clock) {
        this.clock = clock;
    }

    void begins() {
        seenAt = clock.nanoTime();
        seen = true;
    }

    boolean lasts() {
        return seen && clock.nanoTime() - seenAt < MOMENT;
    }
}
