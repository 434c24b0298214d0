package io.idem.engine;

import io.idem.internal.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Thread that watches local deadlines and tells work of lost leases. Separate from the heartbeat, whose threads may all
 * be waiting for a store that does not answer, which is when leases are lost. Starts with the first work that wants to
 * be told.
 */
final class LeaseTimer implements AutoCloseable {

    private final ScheduledThreadPoolExecutor thread;

    LeaseTimer() {
        this.thread = new ScheduledThreadPoolExecutor(
                1, DaemonThreads.named("idem-lease-watch"), new ThreadPoolExecutor.DiscardPolicy());
        thread.setRemoveOnCancelPolicy(true);
    }

    Future<?> after(Duration pause, Runnable task) {
        return thread.schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
