package io.idem.workshop.simulation;

import io.idem.workshop.simulation.kernel.Report;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * The seeds that a test plays. {@code -Didem.sim.seed} selects a single one, whose report is printed;
 * {@code -Didem.sim.from} and {@code -Didem.sim.seeds} select a range.
 */
record Seeds(long from, long count) {

    private static final long DEFAULT_FROM = 1;

    /** Returns the seeds selected by the system properties, or {@code usual} seeds from 1. */
    static Seeds asked(long usual) {
        Long single = Long.getLong("idem.sim.seed");
        return single == null
                ? new Seeds(Long.getLong("idem.sim.from", DEFAULT_FROM), Long.getLong("idem.sim.seeds", usual))
                : new Seeds(single, 1);
    }

    LongStream stream() {
        return LongStream.range(from, from + count);
    }

    /** Plays all seeds and returns the sums of their counts. */
    Map<String, Long> play(Simulator simulator, Consumer<Report> check) {
        return play(simulator, Map.of(), check);
    }

    /** Plays all seeds with options and returns the sums of their counts. */
    Map<String, Long> play(Simulator simulator, Map<String, String> options, Consumer<Report> check) {
        Map<String, Long> totals = new TreeMap<>();
        stream().forEach(seed -> {
            Report report = simulator.play(seed, options);
            report.counts().forEach((what, number) -> totals.merge(what, number, Long::sum));
            if (count == 1) {
                System.out.println(report);
            }
            check.accept(report);
        });
        return totals;
    }
}
