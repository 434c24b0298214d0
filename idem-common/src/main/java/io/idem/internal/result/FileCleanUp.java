package io.idem.internal.result;

import io.idem.internal.DaemonThreads;
import io.idem.result.FileResultStorage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes expired files of a {@link FileResultStorage} at intervals, on a thread of its own, until it is closed. */
public final class FileCleanUp implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FileCleanUp.class);

    private final FileResultStorage storage;
    private final InstantSource clock;
    private final ScheduledExecutorService thread;

    /** Starts the thread, whose first run is at once. */
    public FileCleanUp(FileResultStorage storage, Duration pause, InstantSource clock) {
        this.storage = storage;
        this.clock = clock;
        this.thread = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("idem-result-clean-up"));
        var unused = thread.scheduleWithFixedDelay(this::cleanUp, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void cleanUp() {
        try {
            int removed = storage.removeExpired(clock.instant());
            LOG.debug("{} expired large results were removed", removed);
        } catch (RuntimeException later) {
            LOG.warn("Expired large results could not be removed; the next run tries again", later);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
