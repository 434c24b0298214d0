package io.idem.autoconfigure;

import io.idem.operations.ScopeRegistry;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Announces the application's scopes once all participants are registered, and again at intervals: a store that was
 * unreachable or has lost its data learns them later.
 */
final class ScopeAnnouncer implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(ScopeAnnouncer.class);
    private static final long SECONDS_BETWEEN = 30;

    private final ScopeRegistry registry;
    private @Nullable ScheduledExecutorService thread;

    ScopeAnnouncer(ScopeRegistry registry) {
        this.registry = registry;
    }

    @Override
    public synchronized void start() {
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread daemon = new Thread(task, "idem-scopes");
            daemon.setDaemon(true);
            return daemon;
        });
        var unused = started.scheduleWithFixedDelay(this::announce, 0, SECONDS_BETWEEN, TimeUnit.SECONDS);
        thread = started;
    }

    private void announce() {
        try {
            registry.announceAll();
        } catch (RuntimeException unavailable) {
            LOG.warn(
                    "The scopes {} could not be announced ({}); tried again in {} s. Until then the status of operations"
                            + " may leave them out",
                    registry.scopes(),
                    unavailable.getMessage(),
                    SECONDS_BETWEEN);
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
