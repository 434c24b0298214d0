package io.idem.benchmarks.database;

import java.util.Arrays;

/** The quartiles of some values. */
record Quartiles(double lower, double median, double upper) {

    private static final double QUARTER = 0.25;
    private static final double HALF = 0.5;

    /** Returns the quartiles of at least one value; between two values by linear interpolation. */
    static Quartiles of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return new Quartiles(at(sorted, QUARTER), at(sorted, HALF), at(sorted, 1 - QUARTER));
    }

    private static double at(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
