package io.idem.workshop.chaos.load;

import io.idem.workshop.outside.Reply;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/** A log of all replies to clients, with a line of JSON for each. Thread-safe. */
public final class ClientLog implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final BufferedWriter file;
    private final Map<Integer, Long> byStatus = new TreeMap<>();

    /** Creates a log and replaces that of an earlier run. */
    public ClientLog(Path path) {
        try {
            file = Files.newBufferedWriter(path);
        } catch (IOException e) {
            throw new UncheckedIOException("No log of clients in " + path, e);
        }
    }

    private record Line(long at, String lane, String key, int status, boolean replayed, String answer) {}

    synchronized void add(KeyStory story, Reply reply) {
        write(story, reply.status(), reply.replayed(), reply.text());
    }

    synchronized void failed(KeyStory story, Throwable why) {
        write(story, 0, false, String.valueOf(why));
    }

    private void write(KeyStory story, int status, boolean replayed, String answer) {
        byStatus.merge(status, 1L, Long::sum);
        Line line = new Line(System.currentTimeMillis(), story.lane().id(), story.key(), status, replayed, answer);
        try {
            file.write(JSON.writeValueAsString(line));
            file.newLine();
        } catch (IOException e) {
            throw new UncheckedIOException("A reply cannot be logged", e);
        }
    }

    /** Returns the number of replies by status; 0 stands for a failed connection. */
    public synchronized Map<Integer, Long> byStatus() {
        return new TreeMap<>(byStatus);
    }

    @Override
    public synchronized void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The log of clients cannot be closed", e);
        }
    }
}
