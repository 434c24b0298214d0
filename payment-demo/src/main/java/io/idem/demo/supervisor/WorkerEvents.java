package io.idem.demo.supervisor;

import io.idem.demo.watch.WorkerEvent;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Reads the events in the workers' logs and keeps them. Thread-safe. */
final class WorkerEvents implements AutoCloseable {

    private static final long PAUSE_MILLIS = 5;

    private final List<LogTail> tails;
    private final List<WorkerEvent> events = new ArrayList<>();
    private final List<Consumer<WorkerEvent>> listeners = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::follow, "worker-events");
    private long latest = System.nanoTime();

    WorkerEvents(List<Path> logs) {
        this.tails = logs.stream().map(LogTail::new).toList();
        thread.setDaemon(true);
    }

    /** Starts following; the logs need not exist yet. */
    void start() {
        thread.start();
    }

    /** Tells {@code listener} of every event from now on, on the thread that follows. */
    void listen(Consumer<WorkerEvent> listener) {
        listeners.add(listener);
    }

    /** Returns the events so far, in the order in which they were read. */
    synchronized List<WorkerEvent> all() {
        return List.copyOf(events);
    }

    /** Returns the time since the latest event of any worker. */
    synchronized Duration silence() {
        return Duration.ofNanos(System.nanoTime() - latest);
    }

    private void follow() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                tails.forEach(tail -> tail.newLines().forEach(this::read));
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(String line) {
        WorkerEvent.parse(line).ifPresent(event -> {
            synchronized (this) {
                events.add(event);
                latest = System.nanoTime();
            }
            listeners.forEach(listener -> listener.accept(event));
        });
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    /** The growing end of one file. */
    private static final class LogTail {

        private final Path file;
        private long position;

        LogTail(Path file) {
            this.file = file;
        }

        List<String> newLines() {
            try {
                return Files.exists(file) && Files.size(file) > position ? read() : List.of();
            } catch (IOException e) {
                throw new UncheckedIOException("The log " + file + " cannot be read", e);
            }
        }

        private List<String> read() throws IOException {
            byte[] bytes;
            try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
                log.seek(position);
                bytes = new byte[(int) Math.min(log.length() - position, 1 << 20)];
                log.readFully(bytes);
            }
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            int end = text.lastIndexOf('\n') + 1;
            position += end;
            return text.substring(0, end).lines().toList();
        }
    }
}
