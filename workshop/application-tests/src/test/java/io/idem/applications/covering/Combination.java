package io.idem.applications.covering;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** A combination of choices, one in every dimension. */
record Combination(Map<Dimension, Choice> choices) {

    Combination {
        choices = Map.copyOf(choices);
    }

    static Combination of(Collection<Choice> choices) {
        Map<Dimension, Choice> all = new EnumMap<>(Dimension.class);
        choices.forEach(choice -> all.put(choice.dimension(), choice));
        return new Combination(all);
    }

    Choice get(Dimension dimension) {
        return Objects.requireNonNull(choices.get(dimension), dimension::name);
    }

    boolean has(Choice choice) {
        return get(choice.dimension()) == choice;
    }

    boolean has(Pair pair) {
        return has(pair.first()) && has(pair.second());
    }

    List<Pair> pairs() {
        return Pair.all().stream().filter(this::has).toList();
    }

    @Override
    public String toString() {
        return choices.values().stream().sorted().map(Choice::toString).collect(Collectors.joining(", "));
    }
}
