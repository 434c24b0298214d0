package io.idem.benchmarks.listener;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Work that waits for somebody else for a millisecond, as a quick database does. */
final class Millisecond {

    private Millisecond() {}

    static void work() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
}
