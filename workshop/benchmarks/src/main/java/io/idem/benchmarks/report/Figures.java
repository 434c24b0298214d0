package io.idem.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What was measured, by name, at most one value for each round. Not thread-safe. */
public final class Figures {

    private final Map<String, Map<Integer, Double>> rounds = new LinkedHashMap<>();
    private final Map<String, String> units = new LinkedHashMap<>();
    private int round = 1;

    /** What is added from now on belongs to this round. */
    public void begin(int number) {
        round = number;
    }

    /** Takes down the round's value. */
    public void add(String name, String unit, double value) {
        units.put(name, unit);
        rounds.computeIfAbsent(name, first -> new TreeMap<>()).put(round, value);
    }

    /** The rounds of one figure. */
    public Optional<Figure> of(String name) {
        return Optional.ofNullable(rounds.get(name)).map(values -> new Figure(name, unit(name), values(values)));
    }

    /**
     * One figure divided by another, round by round: what disturbs a round disturbs both. Rounds in which one of them could not be measured
     * are left out.
     */
    public Optional<Figure> ratio(String name, String control) {
        Map<Integer, Double> controls = rounds.getOrDefault(control, Map.of());
        List<Double> ratios = new ArrayList<>();
        rounds.getOrDefault(name, Map.of()).forEach((number, value) -> {
            Double other = controls.get(number);
            if (other != null) {
                ratios.add(value / other);
            }
        });
        return ratios.isEmpty() ? Optional.empty() : Optional.of(new Figure(name + " / " + control, "x", ratios));
    }

    /** All of them, in the order of their first values. */
    public List<Figure> all() {
        return rounds.entrySet().stream()
                .map(entry -> new Figure(entry.getKey(), unit(entry.getKey()), values(entry.getValue())))
                .toList();
    }

    private static List<Double> values(Map<Integer, Double> byRound) {
        return List.copyOf(byRound.values());
    }

    private String unit(String name) {
        return units.getOrDefault(name, "");
    }
}
