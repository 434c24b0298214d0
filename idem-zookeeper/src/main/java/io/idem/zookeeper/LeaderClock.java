package io.idem.zookeeper;

import io.idem.MonotonicClock;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An estimate of the time of ZooKeeper's leader, which stamps every write: the last stamp, and the time that has passed
 * here since it was received. Thread-safe.
 *
 * <p>The estimate may say that a lease still lasts, never that it has ended: for that a write asks the leader.
 */
final class LeaderClock {

    private final MonotonicClock clock;
    private volatile @Nullable Stamp last;

    LeaderClock(MonotonicClock clock) {
        this.clock = clock;
    }

    /** Notes the answer to a write of this process: the leader's time, a moment ago. */
    void stamped(long millis) {
        last = new Stamp(millis, clock.nanoTime());
    }

    /**
     * Notes the time of a write of anybody, which is not later than now. It advances an estimate and begins none: the
     * write may be old.
     */
    void seen(long millis) {
        OptionalLong estimate = estimate();
        if (estimate.isPresent() && estimate.getAsLong() < millis) {
            stamped(millis);
        }
    }

    /** Returns the estimate in milliseconds since 1970-01-01 UTC; empty if this process has written nothing yet. */
    OptionalLong estimate() {
        Stamp known = last;
        return known == null
                ? OptionalLong.empty()
                : OptionalLong.of(known.millis() + TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - known.nanoTime()));
    }

    private record Stamp(long millis, long nanoTime) {}
}
