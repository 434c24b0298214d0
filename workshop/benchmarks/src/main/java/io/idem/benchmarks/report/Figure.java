package io.idem.benchmarks.report;

import java.util.List;

/**
 * A figure of several rounds.
 *
 * @param name the name of the figure
 * @param unit the unit of the values
 * @param rounds the value of each round, at least one
 */
public record Figure(String name, String unit, List<Double> rounds) {

    public Figure {
        rounds = List.copyOf(rounds);
    }

    public double median() {
        List<Double> sorted = rounds.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public double low() {
        return rounds.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    public double high() {
        return rounds.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }
}
