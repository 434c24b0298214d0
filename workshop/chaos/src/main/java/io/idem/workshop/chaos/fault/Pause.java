package io.idem.workshop.chaos.fault;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The duration of a fault. */
final class Pause {

    private Pause() {}

    static void of(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
