package io.idem.consumer.internal.delivery;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work whose listener has returned and will settle its message later. Its lease is renewed until then, but not for
 * longer than a limit. Thread-safe; the first settlement counts.
 */
public final class OpenWork {

    private static final Logger LOG = LoggerFactory.getLogger(OpenWork.class);

    private final Object what;
    private final Ends ends;
    private final Lock lock = new ReentrantLock();
    private final CompletableFuture<Boolean> renewed = new CompletableFuture<>();
    private boolean settled;

    /**
     * Makes work that is about to be left open.
     *
     * @param what the work, for the log
     */
    public OpenWork(Object what, Ends ends) {
        this.what = what;
        this.ends = ends;
    }

    /** Stops renewing the lease if the work is still open after a time. */
    public void limit(Duration longestHold) {
        var unused = renewed.orTimeout(longestHold.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((over, timeout) -> {
                    if (timeout != null) {
                        LOG.warn(
                                "{} was not acknowledged within idem.consumer.outage.longest-hold ({}): its lease is not renewed any longer",
                                what,
                                longestHold);
                        ends.leave();
                    }
                });
    }

    /**
     * Records the work as done; does nothing if it is settled already. Blocks while the store is silent, up to
     * {@link io.idem.consumer.ConsumerSettings#hold}.
     *
     * @throws IllegalStateException if it is not recorded, so that it must not be acknowledged; may be called again
     */
    public void complete() {
        lock.lock();
        try {
            if (!settled) {
                ends.complete();
                end();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Releases the key, best effort; does nothing if the work is settled already. Blocks on the store. */
    public void release() {
        lock.lock();
        try {
            if (!settled) {
                end();
                ends.release();
            }
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        settled = true;
        renewed.complete(true);
    }

    /**
     * Stops renewing the lease, because the broker delivers the message to another consumer. A later settlement is
     * still written if no other owner has taken the work over meanwhile.
     */
    public void leave() {
        if (renewed.complete(false)) {
            ends.leave();
        }
    }

    /** The ends of the work. Each is called once, {@link #complete} until it does not throw. */
    public interface Ends {

        /**
         * Records the work as done.
         *
         * @throws IllegalStateException if that failed
         */
        void complete();

        void release();

        /** Stops renewing the lease; does not block. */
        void leave();
    }
}
