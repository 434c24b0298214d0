package io.idem.benchmarks.listener;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Work that waits for a millisecond, like a call of a fast database. */
final class Millisecond {

    private Millisecond() {}

    static void work() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
}
