package io.idem.benchmarks.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was measured, by name, one value for each round. Not thread-safe. */
public final class Figures {

    private final Map<String, List<Double>> rounds = new LinkedHashMap<>();
    private final Map<String, String> units = new LinkedHashMap<>();

    /** Takes down a round's value. */
    public void add(String name, String unit, double value) {
        units.put(name, unit);
        rounds.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
    }

    /** The rounds of one figure. */
    public Optional<Figure> of(String name) {
        return Optional.ofNullable(rounds.get(name)).map(values -> new Figure(name, unit(name), values));
    }

    /** One figure divided by another, round by round: what disturbs a round disturbs both. */
    public Optional<Figure> ratio(String name, String control) {
        List<Double> values = rounds.getOrDefault(name, List.of());
        List<Double> controls = rounds.getOrDefault(control, List.of());
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < Math.min(values.size(), controls.size()); round++) {
            ratios.add(values.get(round) / controls.get(round));
        }
        return ratios.isEmpty() ? Optional.empty() : Optional.of(new Figure(name + " / " + control, "x", ratios));
    }

    /** All of them, in the order of their first values. */
    public List<Figure> all() {
        return rounds.entrySet().stream()
                .map(entry -> new Figure(entry.getKey(), unit(entry.getKey()), entry.getValue()))
                .toList();
    }

    private String unit(String name) {
        return units.getOrDefault(name, "");
    }
}
