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

/** The log of what the store answered, which the applications append to. Thread-safe. */
public final class Stories {

    private final Path log;

    /** In that file, which need not be there yet. */
    public Stories(Path log) {
        this.log = log;
    }

    /** How long it is by now: what is read from there on came later. */
    public long end() {
        try {
            return Files.exists(log) ? Files.size(log) : 0;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** What these keys went through since the log was that long, in order of time. */
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
