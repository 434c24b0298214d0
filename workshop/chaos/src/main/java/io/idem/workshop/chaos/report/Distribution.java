package io.idem.workshop.chaos.report;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A distribution of durations.
 *
 * @param millis all durations in ascending order
 */
public record Distribution(List<Long> millis) {

    private static final double HALF = 0.5;
    private static final double MOST = 0.99;

    /** Returns the distribution of these durations. */
    public static Distribution of(LongStream millis) {
        return new Distribution(millis.sorted().boxed().toList());
    }

    static Distribution together(Stream<Distribution> parts) {
        return of(parts.flatMap(part -> part.millis.stream()).mapToLong(Long::longValue));
    }

    int count() {
        return millis.size();
    }

    long p50() {
        return at(HALF);
    }

    long p99() {
        return at(MOST);
    }

    long max() {
        return at(1);
    }

    private long at(double quantile) {
        return millis.get((int) Math.ceil(quantile * millis.size()) - 1);
    }

    /** Returns the text for a cell of a table. */
    String text() {
        return millis.isEmpty() ? "–" : p50() + " / " + p99() + " / " + max() + " (" + count() + ")";
    }
}
