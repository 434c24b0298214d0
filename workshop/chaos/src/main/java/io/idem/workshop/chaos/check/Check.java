package io.idem.workshop.chaos.check;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Compares promises with effects and dead letters. Pure functions. */
public final class Check {

    private Check() {}

    /** Returns the findings of one lane; promises, rows and dead letters of other lanes are ignored. */
    public static Finding of(
            String lane, Collection<Promise> promises, Collection<LedgerRow> rows, Collection<String> deadLetters) {
        List<Promise> asked =
                promises.stream().filter(promise -> promise.lane().equals(lane)).toList();
        Set<String> askedKeys = asked.stream().map(Promise::key).collect(Collectors.toSet());
        List<String> dead = deadLetters.stream()
                .filter(askedKeys::contains)
                .distinct()
                .sorted()
                .toList();
        Map<String, Long> effects = rows.stream()
                .filter(row -> row.lane().equals(lane))
                .collect(Collectors.groupingBy(LedgerRow::key, TreeMap::new, Collectors.counting()));
        return new Finding(
                lane,
                asked.size(),
                (int) asked.stream().filter(Promise::accepted).count(),
                effects.values().stream().mapToInt(Long::intValue).sum(),
                keys(
                        asked,
                        promise -> promise.accepted()
                                && !effects.containsKey(promise.key())
                                && !dead.contains(promise.key())),
                effects.entrySet().stream()
                        .filter(entry -> entry.getValue() > 1)
                        .map(Map.Entry::getKey)
                        .toList(),
                effects.keySet().stream()
                        .filter(key -> !askedKeys.contains(key))
                        .toList(),
                keys(asked, promise -> promise.differentAnswers() > 1),
                dead,
                keys(asked, promise -> !promise.accepted()));
    }

    private static List<String> keys(List<Promise> promises, Predicate<Promise> which) {
        return promises.stream().filter(which).map(Promise::key).sorted().toList();
    }
}
