package io.idem.benchmarks.report;

import java.util.List;

/**
 * One figure of several rounds.
 *
 * @param name what was measured
 * @param unit in what
 * @param rounds each round's value, at least one
 */
public record Figure(String name, String unit, List<Double> rounds) {

    /** Copies the list. */
    public Figure {
        rounds = List.copyOf(rounds);
    }

    /** The middle value; of two middle ones their mean. */
    public double median() {
        List<Double> sorted = rounds.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** The smallest value. */
    public double low() {
        return rounds.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    /** The largest value. */
    public double high() {
        return rounds.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }
}
