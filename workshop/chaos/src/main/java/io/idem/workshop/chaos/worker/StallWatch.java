package io.idem.workshop.chaos.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that ticks and logs late ticks, which show that its process or the whole machine stood still. A line has the
 * end in milliseconds, the duration and the process id. Thread-safe.
 */
public final class StallWatch implements AutoCloseable {

    /** Shortest stall that is logged: a quarter of the lease, which may delay a renewal too long. */
    public static final Duration NOTED = Duration.ofMillis(500);

    private static final Duration TICK = Duration.ofMillis(50);

    private final LineFile lines;
    private volatile boolean closed;

    /** Watches this process until it is closed, and appends to this file. */
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
