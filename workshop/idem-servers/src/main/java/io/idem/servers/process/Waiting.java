package io.idem.servers.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A bounded poll. */
public final class Waiting {

    private static final Duration PAUSE = Duration.ofMillis(10);

    private Waiting() {}

    /**
     * Asks every few milliseconds until the answer is yes or the time is over.
     *
     * @return the last answer; false at once when the thread is interrupted
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
