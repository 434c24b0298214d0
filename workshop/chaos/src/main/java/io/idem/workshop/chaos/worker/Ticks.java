package io.idem.workshop.chaos.worker;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Detects late ticks. For a single thread. */
final class Ticks {

    private final long notedNanos;
    private long last;

    /** Creates a detector of ticks later than {@code noted}; the first tick is now. */
    Ticks(Duration noted, long nowNanos) {
        this.notedNanos = noted.toNanos();
        this.last = nowNanos;
    }

    /** Returns the milliseconds since the last tick if they exceed the limit. */
    OptionalLong tick(long nowNanos) {
        long passed = nowNanos - last;
        last = nowNanos;
        return passed > notedNanos ? OptionalLong.of(TimeUnit.NANOSECONDS.toMillis(passed)) : OptionalLong.empty();
    }
}
