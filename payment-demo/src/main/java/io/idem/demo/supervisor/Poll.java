package io.idem.demo.supervisor;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting with a limit. */
final class Poll {

    private static final long PAUSE_MILLIS = 100;

    private Poll() {}

    /** Asks until the answer is yes or the time is over; returns the last answer. */
    static boolean until(Duration atMost, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        return true;
    }
}
