package io.idem.workshop.chaos.soak;

import java.util.List;

/**
 * The samples of one measure of one process.
 *
 * @param measure measure of the samples
 * @param of name of the process; empty for a measure that exists only once
 * @param values samples at equal intervals
 */
record Series(Measure measure, String of, List<Double> values) {

    /** Divisor for the length of the warm-up, which is not judged: caches fill, pools grow, and the compiler works. */
    private static final int WARM_UP_PART = 3;

    String name() {
        return measure.title() + (of.isEmpty() ? "" : " (" + of + ")");
    }

    private List<Double> judged() {
        return values.subList(values.size() / WARM_UP_PART, values.size());
    }

    double median() {
        return Trend.median(judged());
    }

    /** Returns the rise after the warm-up. */
    double rise() {
        return Trend.rise(judged());
    }

    double tolerance() {
        return measure.tolerance(median());
    }

    /** Returns whether the rise is within the tolerance. For orphaned records the last sample must also be zero. */
    boolean flat() {
        return rise() <= tolerance()
                && (measure != Measure.ORPHANS || values.isEmpty() || values.get(values.size() - 1) == 0);
    }

    /** Returns whether the measure rises although it must not. */
    boolean leaks() {
        return measure.judged() && !flat();
    }
}
