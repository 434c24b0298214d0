package io.idem.applications.covering;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Combinations that together contain every possible pair of choices. Each step builds some combinations that begin with
 * a pair not yet covered, and takes the one that covers most of the others. The same seed gives the same result.
 */
final class CoveringArray {

    private static final int CANDIDATES = 40;

    private final Random random;
    private final Set<Pair> left = new LinkedHashSet<>();

    private CoveringArray(long seed) {
        random = new Random(seed);
        Pair.all().stream().filter(ImpossiblePairs::isPossible).forEach(left::add);
    }

    static List<Combination> of(long seed) {
        return new CoveringArray(seed).combinations();
    }

    private List<Combination> combinations() {
        List<Combination> combinations = new ArrayList<>();
        while (!left.isEmpty()) {
            Combination best = best();
            best.pairs().forEach(left::remove);
            combinations.add(best);
        }
        return List.copyOf(combinations);
    }

    private Combination best() {
        Pair first = left.iterator().next();
        return IntStream.range(0, CANDIDATES)
                .mapToObj(candidate -> candidate(first))
                .flatMap(Optional::stream)
                .max(Comparator.comparingLong(this::covered))
                .orElseThrow(() -> new IllegalStateException(
                        "No combination with " + first + " was found: say in ImpossiblePairs why there is none"));
    }

    private long covered(Combination combination) {
        return left.stream().filter(combination::has).count();
    }

    /** Returns a combination with the pair; empty if the earlier choices leave none for a dimension. */
    private Optional<Combination> candidate(Pair first) {
        List<Choice> chosen = new ArrayList<>(List.of(first.first(), first.second()));
        List<Dimension> dimensions = new ArrayList<>(List.of(Dimension.values()));
        dimensions.removeAll(chosen.stream().map(Choice::dimension).toList());
        Collections.shuffle(dimensions, random);
        for (Dimension dimension : dimensions) {
            List<Choice> choices = new ArrayList<>(possible(dimension, chosen).toList());
            if (choices.isEmpty()) {
                return Optional.empty();
            }
            Collections.shuffle(choices, random);
            chosen.add(Collections.max(choices, Comparator.comparingLong(choice -> gain(choice, chosen))));
        }
        return Optional.of(Combination.of(chosen));
    }

    private static Stream<Choice> possible(Dimension dimension, List<Choice> chosen) {
        return Choice.of(dimension).stream()
                .filter(choice ->
                        chosen.stream().allMatch(other -> ImpossiblePairs.isPossible(Pair.of(choice, other))));
    }

    private long gain(Choice choice, List<Choice> chosen) {
        return chosen.stream()
                .filter(other -> left.contains(Pair.of(choice, other)))
                .count();
    }
}
