package io.idem.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The measured figures by name, each with at most one value for each round. Not thread-safe. */
public final class Figures {

    private final Map<String, Map<Integer, Double>> rounds = new LinkedHashMap<>();
    private final Map<String, String> units = new LinkedHashMap<>();
    private int round = 1;

    /** Begins a round, to which the values added from now on belong. */
    public void begin(int number) {
        round = number;
    }

    /** Adds a value of the round. */
    public void add(String name, String unit, double value) {
        units.put(name, unit);
        rounds.computeIfAbsent(name, first -> new TreeMap<>()).put(round, value);
    }

    /** Returns the values of one figure over all rounds. */
    public Optional<Figure> of(String name) {
        return Optional.ofNullable(rounds.get(name)).map(values -> new Figure(name, unit(name), values(values)));
    }

    /**
     * Returns one figure divided by another, round by round, because a disturbance of a round affects both. Leaves out
     * rounds in which one of the two was not measured.
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

    /** Returns all figures, in the order of their first values. */
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
