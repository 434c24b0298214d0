package io.idem.workshop.chaos.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that ticks, and writes a line when a tick comes late, because its process or all of the machine stood still:
 * milliseconds at which it went on, how many it stood still, process. Thread-safe.
 */
public final class StallWatch implements AutoCloseable {

    /** What is worth a line: a quarter of the lease, so that a renewal may have come too late. */
    public static final Duration NOTED = Duration.ofMillis(500);

    private static final Duration TICK = Duration.ofMillis(50);

    private final LineFile lines;
    private volatile boolean closed;

    /** Watches this process until it is closed; appends to that file. */
    public StallWatch(Path file) {
        this.lines = new LineFile(file);
        Thread thread = new Thread(this::watch, "chaos-stall-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        Ticks ticks = new Ticks(NOTED, System.nanoTime());
        while (!closed) {
            LockSupport.parkNanos(TICK.toNanos());
            ticks.tick(System.nanoTime())
                    .ifPresent(
                            millis -> lines.add(millis, ProcessHandle.current().pid()));
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
