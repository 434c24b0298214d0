package io.idem.workshop.chaos.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The grants of all keys and their times, from the logs of the processes. */
public final class Grants {

    private final Map<String, TreeSet<Long>> times = new HashMap<>();
    private final List<Grant> all = new ArrayList<>();

    /** Reads a log with milliseconds, scope, key, kind and fence in each line. */
    public static Grants read(Path log) {
        Grants grants = new Grants();
        if (Files.exists(log)) {
            try (Stream<String> lines = Files.lines(log)) {
                lines.map(line -> line.split(" ", 4))
                        .filter(words -> words.length == 4)
                        .forEach(grants::add);
            } catch (IOException e) {
                throw new UncheckedIOException("The log of grants cannot be read", e);
            }
        }
        return grants;
    }

    private void add(String[] words) {
        String[] kindAndFence = words[3].split(" ", 2);
        if (kindAndFence.length == 2) {
            all.add(new Grant(words[1], words[2], kindAndFence[0], Long.parseLong(kindAndFence[1])));
        }
        times.computeIfAbsent(words[1] + " " + words[2], name -> new TreeSet<>())
                .add(Long.valueOf(words[0]));
    }

    /** Returns the grants of keys with this prefix. */
    public List<Grant> of(String prefix) {
        return all.stream().filter(grant -> grant.key().startsWith(prefix)).toList();
    }

    /** Returns the time of the first grant of a key after a moment. */
    public OptionalLong after(String scope, String key, long millis) {
        Long next = times.getOrDefault(scope + " " + key, new TreeSet<>()).higher(millis);
        return next == null ? OptionalLong.empty() : OptionalLong.of(next);
    }
}
