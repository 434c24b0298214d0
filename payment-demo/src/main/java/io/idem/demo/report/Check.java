package io.idem.demo.report;

import io.idem.demo.story.Exchange;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares the answers that clients received with the contents of the tables. Does not use idem. */
public final class Check {

    private final List<Exchange> exchanges;

    /** Creates a check of the clients' requests and replies. */
    public Check(List<Exchange> exchanges) {
        this.exchanges = List.copyOf(exchanges);
    }

    /** Returns the finding of one consumer. */
    public Finding of(Consumer consumer, List<Effect> effects) {
        Map<OperationName, Set<Long>> promised = amounts(consumer, Exchange::accepted);
        Map<OperationName, Set<Long>> asked = amounts(consumer, exchange -> true);
        Map<OperationName, List<Effect>> found =
                effects.stream().collect(Collectors.groupingBy(Effect::operation, TreeMap::new, Collectors.toList()));
        return new Finding(
                consumer.scope(),
                consumer.table(),
                promised.size(),
                effects.size(),
                names(promised, entry -> !found.containsKey(entry.getKey())),
                names(found, entry -> entry.getValue().size() > 1),
                names(found, entry -> altered(promised.get(entry.getKey()), entry.getValue())),
                names(found, entry -> !asked.containsKey(entry.getKey())));
    }

    /** Returns the operations whose clients received two different answers. */
    public List<String> differentAnswers() {
        Map<String, Set<Exchange.Answer>> answers = new TreeMap<>();
        exchanges.stream()
                .filter(Exchange::accepted)
                .forEach(exchange -> answers.computeIfAbsent(
                                exchange.kind() + " " + OperationName.of(exchange), name -> new HashSet<>())
                        .add(exchange.answer()));
        return answers.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .map(Map.Entry::getKey)
                .toList();
    }

    private Map<OperationName, Set<Long>> amounts(Consumer consumer, Predicate<Exchange> which) {
        return exchanges.stream()
                .filter(exchange -> exchange.kind() == consumer.kind())
                .filter(which)
                .collect(Collectors.groupingBy(
                        OperationName::of,
                        TreeMap::new,
                        Collectors.mapping(Exchange::amount, Collectors.toCollection(TreeSet::new))));
    }

    private static boolean altered(@Nullable Set<Long> promised, List<Effect> found) {
        return promised != null && found.stream().anyMatch(effect -> !promised.equals(Set.of(effect.amount())));
    }

    private static <V> List<String> names(
            Map<OperationName, V> operations, Predicate<Map.Entry<OperationName, V>> which) {
        return operations.entrySet().stream()
                .filter(which)
                .map(entry -> entry.getKey().toString())
                .toList();
    }
}
