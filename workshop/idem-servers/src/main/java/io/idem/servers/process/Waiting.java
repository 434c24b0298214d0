package io.idem.servers.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Polls a condition up to a time limit. */
public final class Waiting {

    private static final Duration PAUSE = Duration.ofMillis(10);

    private Waiting() {}

    /**
     * Checks the condition every few milliseconds until it is true or the time is over.
     *
     * @return the last result; false at once if the thread is interrupted
     */
    public static boolean until(Duration atMost, BooleanSupplier condition) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }
}
