package io.idem.workshop.chaos.soak;

import java.util.List;

/**
 * One measure of one process.
 *
 * @param measure what
 * @param of which process; empty for what there is one of
 * @param values evenly spaced
 */
record Series(Measure measure, String of, List<Double> values) {

    /** Caches fill, pools grow, the compiler works: that part of a soak is not judged. */
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

    /** By how much it grew after the warm-up. */
    double rise() {
        return Trend.rise(judged());
    }

    double tolerance() {
        return measure.tolerance(median());
    }

    /** What should not be there at all may come and go, but not stay until the end. */
    boolean flat() {
        return rise() <= tolerance()
                && (measure != Measure.ORPHANS || values.isEmpty() || values.get(values.size() - 1) == 0);
    }

    /** Whether it grows although it must not. */
    boolean leaks() {
        return measure.judged() && !flat();
    }
}
