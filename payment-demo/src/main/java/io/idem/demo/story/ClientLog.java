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

/**
 * The log of the clients' requests and replies, with one line of JSON for each. Written during a run and read back for
 * its checks. Thread-safe.
 */
public final class ClientLog implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final BufferedWriter writer;
    private final AtomicInteger size = new AtomicInteger();
    private final ClientListener listener;

    /** Starts an empty one, in place of an earlier run's. */
    public ClientLog(Path file) {
        this(file, ClientListener.NOBODY);
    }

    /** Starts an empty one, in place of an earlier run's. {@code listener} is told of everything as it happens. */
    public ClientLog(Path file, ClientListener listener) {
        this.listener = listener;
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

    /** A request is about to be sent; until {@link #add} nobody knows what comes of it. */
    void sending(Exchange unanswered) {
        listener.sending(unanswered);
    }

    void add(Exchange exchange) {
        write(exchange);
        listener.answered(exchange);
    }

    private synchronized void write(Exchange exchange) {
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
