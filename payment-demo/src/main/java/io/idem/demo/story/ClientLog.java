package io.idem.demo.story;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** What the clients sent and got, one line of JSON each. Written while the story runs, read back to judge it. Thread-safe. */
public final class ClientLog implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final BufferedWriter writer;
    private final AtomicInteger size = new AtomicInteger();

    /** Starts an empty one, in place of an earlier run's. */
    public ClientLog(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            this.writer = Files.newBufferedWriter(file);
        } catch (IOException e) {
            throw new UncheckedIOException("The clients' log " + file + " cannot be written", e);
        }
    }

    /** Reads a log that was closed. */
    public static List<Exchange> read(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(line -> JSON.readValue(line, Exchange.class)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("The clients' log " + file + " cannot be read", e);
        }
    }

    /** Number of exchanges so far. */
    public int size() {
        return size.get();
    }

    synchronized void add(Exchange exchange) {
        try {
            writer.write(JSON.writeValueAsString(exchange));
            writer.newLine();
            size.incrementAndGet();
        } catch (IOException e) {
            throw new UncheckedIOException("The clients' log cannot be written", e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The clients' log cannot be written", e);
        }
    }
}
