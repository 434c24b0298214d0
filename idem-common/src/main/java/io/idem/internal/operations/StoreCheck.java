package io.idem.internal.operations;

import io.idem.IdempotencyKey;
import io.idem.MonotonicClock;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Checks for health endpoints that the store answers. At most one caller at a time, and once a second, asks the store;
 * the others get the last answer. Thread-safe; blocks the caller that asks as long as the store's calls may take.
 */
public final class StoreCheck {

    private static final RecordId NOBODYS = new RecordId(IdempotencyKey.of("idem-health"), new Scope("idem.health"));
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final IdempotencyStore store;
    private final MonotonicClock clock;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile Optional<RuntimeException> last;
    private volatile long nextAt;

    public StoreCheck(IdempotencyStore store, MonotonicClock clock) {
        this.store = store;
        this.clock = clock;
        this.last = Optional.of(new IllegalStateException("the store was not asked yet"));
        this.nextAt = clock.nanoTime();
    }

    /** Returns the reason why the store cannot be used; empty if it answers. */
    public Optional<RuntimeException> failure() {
        if (clock.nanoTime() - nextAt >= 0 && asking.tryLock()) {
            try {
                last = ask();
                nextAt = clock.nanoTime() + PAUSE;
            } finally {
                asking.unlock();
            }
        }
        return last;
    }

    /** Reads a record that does not exist. */
    private Optional<RuntimeException> ask() {
        try {
            var unused = store.inspect(NOBODYS);
            return Optional.empty();
        } catch (RuntimeException silent) {
            return Optional.of(silent);
        }
    }
}
