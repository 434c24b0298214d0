package io.idem.workshop.chaos.worker;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Tells a tick that comes late. For one thread. */
final class Ticks {

    private final long notedNanos;
    private long last;

    /** What is later than that is told; the first tick is now. */
    Ticks(Duration noted, long nowNanos) {
        this.notedNanos = noted.toNanos();
        this.last = nowNanos;
    }

    /** How many milliseconds passed since the last tick, if they are too many. */
    OptionalLong tick(long nowNanos) {
        long passed = nowNanos - last;
        last = nowNanos;
        return passed > notedNanos ? OptionalLong.of(TimeUnit.NANOSECONDS.toMillis(passed)) : OptionalLong.empty();
    }
}
