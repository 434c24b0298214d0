package io.idem.jdbc.autoconfigure;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Calls the cleaner at intervals while the application runs, on a thread of its own, so no scheduler is needed. */
final class Cleaning implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Cleaning.class);

    private final String what;
    private final LongSupplier cleaner;
    private final Duration pause;
    private @Nullable ScheduledExecutorService thread;

    /** @param what names the deleted rows in logs */
    Cleaning(String what, LongSupplier cleaner, Duration pause) {
        this.what = what;
        this.cleaner = cleaner;
        this.pause = pause;
    }

    @Override
    public synchronized void start() {
        if (thread == null) {
            ScheduledExecutorService started = new ScheduledThreadPoolExecutor(1, task -> {
                Thread daemon = new Thread(task, "idem-cleaner-of-" + what);
                daemon.setDaemon(true);
                return daemon;
            });
            ScheduledFuture<?> unused =
                    started.scheduleWithFixedDelay(this::clean, pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
            thread = started;
        }
    }

    private void clean() {
        try {
            long deleted = cleaner.getAsLong();
            LOG.debug("Deleted {} {} older than their retention", deleted, what);
        } catch (RuntimeException failure) {
            LOG.warn("Old {} could not be deleted; the next try follows in {}", what, pause, failure);
        }
    }

    @Override
    public synchronized void stop() {
        if (thread != null) {
            thread.shutdownNow();
            thread = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }
}
