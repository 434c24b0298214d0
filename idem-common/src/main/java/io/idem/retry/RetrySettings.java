package io.idem.retry;

import static io.idem.internal.value.Arguments.require;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.RetryConfig;
import io.idem.MonotonicClock;
import io.idem.spi.RecordLister;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Limits of the repetition of a call. The pauses double from the first to the longest, and each is varied at random by
 * half, so that many callers do not repeat at the same time.
 *
 * @param budget time after the first call within which a repetition may start; at most a third of the lease, or a grant
 *     could be old when it arrives
 * @param firstPause before the first repetition
 * @param longestPause before any repetition
 */
public record RetrySettings(Duration budget, Duration firstPause, Duration longestPause) {

    /** Default budget, long enough for a broken connection to come back. */
    public static final Duration DEFAULT_BUDGET = Duration.ofSeconds(3);

    private static final double GROWTH = 2;
    private static final double VARIATION = 0.5;
    private static final Duration DEFAULT_FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration DEFAULT_LONGEST_PAUSE = Duration.ofMillis(500);

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if a value is out of bounds; the message says which
     */
    public RetrySettings {
        require(!budget.isNegative(), "budget " + budget + " is negative; use zero not to repeat anything");
        require(
                firstPause.toMillis() >= 1 && longestPause.compareTo(firstPause) >= 0,
                "firstPause " + firstPause + " is not between 1 ms and longestPause " + longestPause);
    }

    /** Returns settings with the default pauses within a budget. */
    public static RetrySettings within(Duration budget) {
        return new RetrySettings(budget, DEFAULT_FIRST_PAUSE, DEFAULT_LONGEST_PAUSE);
    }

    /** Returns a lister that repeats what another one did not answer; the caller waits between the tries. */
    public RecordLister repeating(RecordLister lister) {
        return new RetryingRecordLister(lister, this);
    }

    private RetryConfig pauses() {
        return RetryConfig.custom()
                .maxAttempts(Integer.MAX_VALUE)
                .intervalFunction(
                        IntervalFunction.ofExponentialRandomBackoff(firstPause, GROWTH, VARIATION, longestPause))
                .build();
    }

    /** Returns whether a repetition may start, of a call that begins now. */
    BooleanSupplier budget(MonotonicClock clock) {
        long start = clock.nanoTime();
        return () -> clock.nanoTime() - start < budget.toNanos();
    }

    /** Returns the repetition of a call, which may start as long as {@code withinBudget} says. */
    Repetition repetition(BooleanSupplier withinBudget) {
        return new Repetition(pauses(), withinBudget);
    }
}
