package io.idem.workshop.chaos.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Writes at intervals the heap in use after a garbage collection, in bytes, and the number of threads of this process.
 */
final class VitalSigns implements AutoCloseable {

    private static final long EVERY_SECONDS = 10;

    private final Path file;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(VitalSigns::thread);

    VitalSigns(Path file) {
        this.file = file;
        var unused = timer.scheduleAtFixedRate(this::write, 0, EVERY_SECONDS, TimeUnit.SECONDS);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "chaos-vitals");
        thread.setDaemon(true);
        return thread;
    }

    private void write() {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        try {
            Files.writeString(file, heap + " " + threads);
        } catch (IOException e) {
            throw new UncheckedIOException("Vital signs cannot be written", e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
