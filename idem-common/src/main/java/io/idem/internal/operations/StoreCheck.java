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
 * Whether the store answers, for health checks. One caller at a time asks, and not more than once a second: whoever comes meanwhile gets
 * the last answer. Thread-safe; blocks its asker for as long as the store's calls may take.
 */
public final class StoreCheck {

    private static final RecordId NOBODYS = new RecordId(IdempotencyKey.of("idem-health"), new Scope("idem.health"));
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final IdempotencyStore store;
    private final MonotonicClock clock;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile Optional<RuntimeException> last;
    private volatile long nextAt;

    /** A check that has not asked yet. */
    public StoreCheck(IdempotencyStore store, MonotonicClock clock) {
        this.store = store;
        this.clock = clock;
        this.last = Optional.of(new IllegalStateException("the store was not asked yet"));
        this.nextAt = clock.nanoTime();
    }

    /** Why the store cannot be used; empty if it answers. */
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

    /** Reads a record that nobody has. */
    private Optional<RuntimeException> ask() {
        try {
            var unused = store.inspect(NOBODYS);
            return Optional.empty();
        } catch (RuntimeException silent) {
            return Optional.of(silent);
        }
    }
}
