package io.idem.consumer.contract;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** The store's clock: runs with the system's, and can be moved ahead. Thread-safe. */
public final class MovableClock implements InstantSource {

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    /** Lets leases and retentions lapse. */
    public void moveAhead(Duration by) {
        ahead.updateAndGet(before -> before.plus(by));
    }

    @Override
    public Instant instant() {
        return InstantSource.system().instant().plus(ahead.get());
    }
}
