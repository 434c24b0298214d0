package io.idem.e2e.chaos.report;

import java.util.List;
import java.util.stream.LongStream;

/**
 * How long something took, in milliseconds.
 *
 * @param count how often it was measured
 * @param p50 half took no longer
 * @param p99 99 of 100 took no longer
 * @param max the longest
 */
public record Distribution(int count, long p50, long p99, long max) {

    private static final double HALF = 0.5;
    private static final double MOST = 0.99;

    /** Of these. */
    public static Distribution of(LongStream millis) {
        List<Long> sorted = millis.sorted().boxed().toList();
        return sorted.isEmpty()
                ? new Distribution(0, 0, 0, 0)
                : new Distribution(sorted.size(), at(sorted, HALF), at(sorted, MOST), sorted.get(sorted.size() - 1));
    }

    private static long at(List<Long> sorted, double quantile) {
        return sorted.get((int) Math.ceil(quantile * sorted.size()) - 1);
    }

    /** For a cell of a table. */
    String text() {
        return count == 0 ? "–" : p50 + " / " + p99 + " / " + max;
    }
}
