package io.idem.workshop.chaos.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The numbers of returns of messages to their queues, as counted by RabbitMQ.
 *
 * @param byKey largest count among the deliveries of each key, without keys that were never returned
 */
public record Returns(Map<String, Integer> byKey) {

    private static final int WORDS = 3;

    /** Reads the log of the workers, with milliseconds, key and count in each line. */
    public static Returns read(Path log) {
        if (!Files.exists(log)) {
            return new Returns(Map.of());
        }
        try (Stream<String> lines = Files.lines(log)) {
            return new Returns(lines.map(line -> line.split(" ", -1))
                    .filter(words -> words.length == WORDS)
                    .collect(Collectors.toMap(
                            words -> words[1], words -> Integer.valueOf(words[2]), Integer::max, TreeMap::new)));
        } catch (IOException e) {
            throw new UncheckedIOException("The log of returns cannot be read", e);
        }
    }

    /** Returns the counts of keys with this prefix. */
    public List<Integer> of(String prefix) {
        return byKey.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(prefix))
                .map(Map.Entry::getValue)
                .toList();
    }
}
