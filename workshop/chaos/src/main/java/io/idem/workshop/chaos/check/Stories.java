package io.idem.workshop.chaos.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the log of the answers of the store, to which the applications append. Thread-safe. */
public final class Stories {

    private final Path log;

    /** Creates a reader of this file, which need not exist yet. */
    public Stories(Path log) {
        this.log = log;
    }

    /** Returns the length of the log. A later read from this position returns only newer events. */
    public long end() {
        try {
            return Files.exists(log) ? Files.size(log) : 0;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Returns the events of these keys from a position of the log on, in order of time. */
    public List<Event> since(long from, Set<String> keys) {
        if (keys.isEmpty() || !Files.exists(log)) {
            return List.of();
        }
        try (InputStream file = Files.newInputStream(log)) {
            file.skipNBytes(from);
            return events(file, keys);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private static List<Event> events(InputStream file, Set<String> keys) throws IOException {
        try (var reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.US_ASCII));
                Stream<String> lines = reader.lines()) {
            return lines.map(line -> line.split(" ", -1))
                    .filter(Event::isWhole)
                    .filter(words -> keys.contains(words[3]))
                    .map(Event::of)
                    .sorted(Comparator.comparingLong(Event::at))
                    .toList();
        }
    }

    private static UncheckedIOException unreadable(IOException e) {
        return new UncheckedIOException("The log of stories cannot be read", e);
    }
}
