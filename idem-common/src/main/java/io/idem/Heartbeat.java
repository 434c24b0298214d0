package io.idem;

import io.idem.spi.IdempotencyStore;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the leases of running attempts on threads of its own, so that slow work keeps its lease. */
final class Heartbeat implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
    private static final int THREADS = 2;

    private final IdempotencyStore store;
    private final MonotonicClock clock;
    private final ScheduledThreadPoolExecutor threads;

    Heartbeat(IdempotencyStore store, MonotonicClock clock) {
        this.store = store;
        this.clock = clock;
        AtomicInteger number = new AtomicInteger();
        this.threads = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread thread = new Thread(task, "idem-heartbeat-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        threads.setRemoveOnCancelPolicy(true);
    }

    /** Starts renewing; the first renewal comes after one pause. Close the answer to stop. */
    Beat start(Attempt attempt) {
        long pause = attempt.operation().policy().renewEvery().toNanos();
        ScheduledFuture<?> beat =
                threads.scheduleWithFixedDelay(() -> renew(attempt), pause, pause, TimeUnit.NANOSECONDS);
        return () -> beat.cancel(false);
    }

    private void renew(Attempt attempt) {
        long sentAt = clock.nanoTime();
        try {
            attempt.renewed(store.renew(attempt.lease()), sentAt);
        } catch (RuntimeException unknown) {
            LOG.warn(
                    "Renewal of {} failed ({}); the work goes on until its local deadline and the renewal is tried again",
                    attempt.lease().record(),
                    unknown.getMessage());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** One attempt's renewals. */
    @FunctionalInterface
    interface Beat extends AutoCloseable {

        /** Stops them; a renewal under way may still be answered. */
        @Override
        void close();
    }
}
