package io.idem.test;

import static io.idem.internal.value.Arguments.require;

import io.idem.MonotonicClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that stands still until a test moves it. Serves an {@link io.idem.memory.InMemoryIdempotencyStore} as its
 * wall clock and an {@link io.idem.engine.IdempotentExecutor} as its monotonic one. Thread-safe.
 */
public final class ManualClock implements InstantSource, MonotonicClock {

    private volatile Instant now;

    /** Creates a clock at an arbitrary moment. */
    public ManualClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** Creates a clock at a given moment. */
    public ManualClock(Instant start) {
        this.now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public long nanoTime() {
        return Duration.between(Instant.EPOCH, now).toNanos();
    }

    /**
     * Moves the clock forward.
     *
     * @throws IllegalArgumentException if {@code by} is negative: monotonic clocks do not run backwards
     */
    public synchronized void advance(Duration by) {
        require(!by.isNegative(), "A clock is not set back by " + by.negated());
        now = now.plus(by);
    }
}
