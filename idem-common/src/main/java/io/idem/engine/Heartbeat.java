package io.idem.engine;

import io.idem.Lease;
import io.idem.MonotonicClock;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.internal.DaemonThreads;
import io.idem.spi.RecordStore;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of running attempts, so that slow work keeps its lease. All renewals that are due go to the store
 * in one batch, and no thread waits for their answers. If the store blocks its caller and names no threads for that,
 * one thread waits and the other continues.
 */
final class Heartbeat implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);
    private static final int THREADS = 2;

    /** Divisor of the usual pause after a renewal that failed. */
    private static final int SOONER = 5;

    private final RecordStore store;
    private final MonotonicClock clock;
    private final RenewalQueue<Renewals> queue = new RenewalQueue<>();
    private final ScheduledThreadPoolExecutor threads;
    private @Nullable ScheduledFuture<?> nextTick;
    private long nextTickAt;

    Heartbeat(RecordStore store, MonotonicClock clock) {
        this.store = OnThreads.around(store);
        this.clock = clock;
        // Discards tasks that come after the end: work that ends then is recorded without renewals.
        this.threads = new ScheduledThreadPoolExecutor(
                THREADS, DaemonThreads.numbered("idem-heartbeat-"), new ThreadPoolExecutor.DiscardPolicy());
        threads.setRemoveOnCancelPolicy(true);
    }

    /**
     * Starts the renewals of an attempt. The first comes after one pause, or up to a tenth of it earlier; at once if the
     * attempt waits again for messages, because none was due since the wait before. Close the returned beat to stop.
     */
    Beat start(Attempt attempt) {
        Renewals renewals = new Renewals(attempt);
        try {
            renewals.goOnAfter(
                    attempt.hasUnconfirmed()
                            ? Duration.ZERO
                            : attempt.operation().policy().renewEvery());
        } catch (Throwable noThread) {
            renewals.close();
            throw noThread;
        }
        return renewals;
    }

    /** Schedules a look at the queue at a moment, unless an earlier one is scheduled. */
    private synchronized void tickAt(long moment) {
        if (nextTick != null && nextTickAt - moment <= 0) {
            return;
        }
        if (nextTick != null) {
            nextTick.cancel(false);
        }
        nextTickAt = moment;
        nextTick = threads.schedule(this::tick, moment - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void tick() {
        synchronized (this) {
            nextTick = null;
        }
        List<RenewalQueue.Due<Renewals>> due = queue.takeDue(System.nanoTime());
        try {
            queue.next().ifPresent(this::tickAt);
            if (!due.isEmpty()) {
                renew(due.stream().map(RenewalQueue.Due::what).toList());
            }
        } catch (Throwable failure) {
            due.forEach(each -> each.what().failed(failure));
        }
    }

    private void renew(List<Renewals> due) {
        long sentAt = clock.nanoTime();
        List<CompletionStage<StoreAnswer>> answers = Stages.started(
                due.size(),
                () -> store.update(due.stream()
                        .<RecordUpdate>map(renewals -> new RecordUpdate.Renew(renewals.lease()))
                        .toList()));
        for (int i = 0; i < due.size(); i++) {
            Renewals renewals = due.get(i);
            Stages.whenComplete(answers.get(i), (answer, failure) -> {
                if (failure == null) {
                    renewals.answered(answer, sentAt);
                } else {
                    renewals.failed(failure);
                }
            });
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Renewals of one attempt. */
    @FunctionalInterface
    interface Beat extends AutoCloseable {

        /** Stops the renewals; one under way may still be answered. */
        @Override
        void close();

        /** Continues the renewals until a stage has ended. */
        default <T> CompletionStage<T> until(CompletionStage<T> ending) {
            return Stages.compose(ending, (answer, failure) -> {
                close();
                return ending;
            });
        }
    }

    private final class Renewals implements Beat {

        private final Attempt attempt;
        private RenewalQueue.@Nullable Due<Renewals> next;
        private boolean stopped;

        Renewals(Attempt attempt) {
            this.attempt = attempt;
        }

        Lease lease() {
            return attempt.lease();
        }

        private synchronized void goOnAfter(Duration pause) {
            if (!stopped) {
                next = queue.add(this, System.nanoTime() + pause.toNanos(), pause.toNanos());
                tickAt(next.at());
            }
        }

        /** Handles the answer to a renewal. The renewals end if the lease is lost or the record is settled. */
        void answered(StoreAnswer answer, long sentAt) {
            attempt.renewed(answer, sentAt);
            if (answer instanceof StoreAnswer.Ok) {
                goOnAfter(attempt.operation().policy().renewEvery());
            }
        }

        void failed(Throwable unknown) {
            LOG.warn(
                    "Renewal of {} failed ({}); the work goes on until its local deadline and the renewal is tried again",
                    lease().record(),
                    unknown.getMessage());
            goOnAfter(attempt.operation().policy().renewEvery().dividedBy(SOONER));
        }

        @Override
        public synchronized void close() {
            stopped = true;
            if (next != null) {
                queue.remove(next);
            }
        }
    }
}
