package io.idem;

import io.idem.spi.IdempotencyStore;
import io.idem.spi.Settlement;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the leases of running attempts on threads of its own, so that slow work keeps its lease. */
final class Heartbeat implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
    private static final int THREADS = 2;

    /** A renewal that failed is tried again after this part of the usual pause. */
    private static final int SOONER = 5;

    private final IdempotencyStore store;
    private final MonotonicClock clock;
    private final ScheduledThreadPoolExecutor threads;

    Heartbeat(IdempotencyStore store, MonotonicClock clock) {
        this.store = store;
        this.clock = clock;
        AtomicInteger number = new AtomicInteger();
        // Discards what comes after the end: work that ends then is settled without being renewed.
        this.threads = new ScheduledThreadPoolExecutor(
                THREADS,
                task -> {
                    Thread thread = new Thread(task, "idem-heartbeat-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        threads.setRemoveOnCancelPolicy(true);
    }

    /** Starts renewing; the first renewal comes after one pause. Close the answer to stop. */
    Beat start(Attempt attempt) {
        Renewals renewals = new Renewals(attempt);
        renewals.goOnAfter(attempt.operation().policy().renewEvery());
        return renewals;
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

    private final class Renewals implements Runnable, Beat {

        private final Attempt attempt;
        private @Nullable Future<?> next;
        private boolean stopped;

        Renewals(Attempt attempt) {
            this.attempt = attempt;
        }

        synchronized void goOnAfter(Duration pause) {
            if (!stopped) {
                next = threads.schedule(this, pause.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        /** Ends by itself once the lease is lost or settled: nothing is left to renew. */
        @Override
        public void run() {
            Duration pause = attempt.operation().policy().renewEvery();
            long sentAt = clock.nanoTime();
            try {
                Settlement answer = store.renew(attempt.lease());
                attempt.renewed(answer, sentAt);
                if (answer instanceof Settlement.Ok) {
                    goOnAfter(pause);
                }
            } catch (RuntimeException unknown) {
                LOG.warn(
                        "Renewal of {} failed ({}); the work goes on until its local deadline and the renewal is tried"
                                + " again",
                        attempt.lease().record(),
                        unknown.getMessage());
                goOnAfter(pause.dividedBy(SOONER));
            }
        }

        @Override
        public synchronized void close() {
            stopped = true;
            if (next != null) {
                next.cancel(false);
            }
        }
    }
}
