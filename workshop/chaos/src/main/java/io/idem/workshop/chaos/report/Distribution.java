package io.idem.workshop.chaos.report;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * How long something took.
 *
 * @param millis every measurement, in ascending order
 */
public record Distribution(List<Long> millis) {

    private static final double HALF = 0.5;
    private static final double MOST = 0.99;

    /** Of these. */
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

    /** For a cell of a table. */
    String text() {
        return millis.isEmpty() ? "–" : p50() + " / " + p99() + " / " + max() + " (" + count() + ")";
    }
}
