package io.idem.workshop.chaos.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The periods in which processes stood still.
 *
 * @param all stalls of all processes
 * @param proxies id of the process with the proxies through which all applications reach Redis and the brokers
 */
public record Stalls(List<Stall> all, long proxies) {

    /** A run without stalls. */
    public static final Stalls NONE = new Stalls(List.of(), 0);

    private static final int WORDS = 3;

    /** Reads a log with milliseconds, length and process in each line. The proxies are those of this process. */
    public static Stalls read(Path log) {
        long proxies = ProcessHandle.current().pid();
        if (!Files.exists(log)) {
            return new Stalls(List.of(), proxies);
        }
        try (Stream<String> lines = Files.lines(log)) {
            return new Stalls(
                    lines.map(line -> line.split(" ", -1))
                            .filter(words -> words.length == WORDS)
                            .map(Stalls::stall)
                            .toList(),
                    proxies);
        } catch (IOException e) {
            throw new UncheckedIOException("The log of stalls cannot be read", e);
        }
    }

    private static Stall stall(String... words) {
        long to = Long.parseLong(words[0]);
        return new Stall(Long.parseLong(words[2]), to - Long.parseLong(words[1]), to);
    }

    /** Returns for how many milliseconds between two moments a process, or its proxy to Redis, stood still. */
    long millis(long pid, long from, long to) {
        return Math.max(sum(pid, from, to), sum(proxies, from, to));
    }

    private long sum(long pid, long from, long to) {
        return all.stream()
                .filter(stall -> stall.pid() == pid)
                .mapToLong(stall -> stall.within(from, to))
                .sum();
    }
}
