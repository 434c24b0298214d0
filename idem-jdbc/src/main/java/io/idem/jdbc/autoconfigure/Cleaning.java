package io.idem.jdbc.autoconfigure;

import io.idem.jdbc.InboxCleaner;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Calls the cleaner again and again while the application runs; on a thread of its own, so no scheduler is needed. */
final class InboxCleaning implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(InboxCleaning.class);

    private final InboxCleaner cleaner;
    private final Duration pause;
    private @Nullable ScheduledExecutorService thread;

    InboxCleaning(InboxCleaner cleaner, Duration pause) {
        this.cleaner = cleaner;
        this.pause = pause;
    }

    @Override
    public synchronized void start() {
        if (thread == null && !pause.isZero()) {
            ScheduledExecutorService started = new ScheduledThreadPoolExecutor(1, task -> {
                Thread daemon = new Thread(task, "idem-inbox-cleaner");
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
            long deleted = cleaner.clean();
            LOG.debug("Deleted {} inbox rows older than their retention", deleted);
        } catch (RuntimeException failure) {
            LOG.warn("Old inbox rows could not be deleted; the next try follows in {}", pause, failure);
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
