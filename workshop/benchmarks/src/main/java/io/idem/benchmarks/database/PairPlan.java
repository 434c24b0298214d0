package io.idem.benchmarks.database;

import java.time.Duration;

/**
 * The plan of a comparison.
 *
 * @param warmUp the time that each side runs before anything counts
 * @param slice the time that one side runs before it is the other's turn
 * @param pairs the number of slices of each side
 */
public record PairPlan(Duration warmUp, Duration slice, int pairs) {

    private static final Duration SLICE = Duration.ofMillis(700);
    private static final double SIDES = 2;
    private static final double MILLIS = 1_000;

    /** Returns a plan with slices of 0.7 s. */
    public static PairPlan of(Duration warmUp, int pairs) {
        return new PairPlan(warmUp, SLICE, pairs);
    }

    /** Returns the plan of a way whose messages travel longer than a slice: few slices of this length. */
    PairPlan withSlices(Duration length, int number) {
        return new PairPlan(warmUp, length, Math.min(number, pairs));
    }

    /** Returns the planned seconds of both sides together. */
    int seconds() {
        return (int) Math.ceil(SIDES * (warmUp.toMillis() + pairs * slice.toMillis()) / MILLIS);
    }
}
