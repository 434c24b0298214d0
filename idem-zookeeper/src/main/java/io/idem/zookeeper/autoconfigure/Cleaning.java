package io.idem.zookeeper.autoconfigure;

import io.idem.zookeeper.ZooKeeperRecordCleaner;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Calls the cleaner some minutes after the start and then every hour while the application runs, on a thread of its
 * own. Of several instances the first one in an hour cleans.
 */
final class Cleaning implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Cleaning.class);
    private static final Duration PAUSE = Duration.ofHours(1);

    /** Short, so that instances that seldom live for an hour clean, too. */
    private static final Duration FIRST = Duration.ofMinutes(5);

    /** Shorter than the pause, so that the same instance finds its turn again. */
    private static final Duration NOT_WITHIN = Duration.ofMinutes(50);

    private final ZooKeeperRecordCleaner cleaner;
    private @Nullable ScheduledExecutorService thread;

    Cleaning(ZooKeeperRecordCleaner cleaner) {
        this.cleaner = cleaner;
    }

    @Override
    public synchronized void start() {
        if (thread == null) {
            ScheduledExecutorService started = new ScheduledThreadPoolExecutor(1, task -> {
                Thread daemon = new Thread(task, "idem-cleaner-of-records");
                daemon.setDaemon(true);
                return daemon;
            });
            ScheduledFuture<?> unused =
                    started.scheduleWithFixedDelay(this::clean, FIRST.toNanos(), PAUSE.toNanos(), TimeUnit.NANOSECONDS);
            thread = started;
        }
    }

    private void clean() {
        try {
            LOG.debug("Deleted {} records whose retention is over", cleaner.clean(NOT_WITHIN));
        } catch (RuntimeException failure) {
            if (isRunning()) {
                LOG.warn("Old records could not be deleted; the next try follows in {}", PAUSE, failure);
            }
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
