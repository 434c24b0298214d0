package io.idem.consumer.internal.delivery;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work whose listener has returned and will say later what becomes of its message. Its lease is renewed until then, but not for longer than
 * a limit. Thread-safe; the first settlement counts.
 */
public final class OpenWork {

    private static final Logger LOG = LoggerFactory.getLogger(OpenWork.class);

    private final Object what;
    private final Ends ends;
    private final Lock lock = new ReentrantLock();
    private final CompletableFuture<Boolean> renewed = new CompletableFuture<>();
    private boolean settled;

    /**
     * Work that is about to be left open.
     *
     * @param what it is, for the log
     */
    public OpenWork(Object what, Ends ends) {
        this.what = what;
        this.ends = ends;
    }

    /** Stops renewing its lease if it is still open after a time. */
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
     * Records the work as done; nothing if it is settled already. Blocks while the store is silent, up to {@code idem.consumer.hold}.
     *
     * @throws IllegalStateException it is not recorded, so that it must not be acknowledged; may be called again
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

    /** Gives its key back, best effort; nothing if it is settled already. Blocks on the store. */
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
     * Stops renewing its lease, because its message is not the listener's any more: the broker gives it to somebody else. A settlement that
     * comes all the same is written if nobody has taken the work over meanwhile.
     */
    public void leave() {
        if (renewed.complete(false)) {
            ends.leave();
        }
    }

    /** How the work ends. Called once each, {@link #complete} until it does not throw. */
    public interface Ends {

        /**
         * Records it as done.
         *
         * @throws IllegalStateException it could not
         */
        void complete();

        /** Gives its key back. */
        void release();

        /** Stops renewing; does not block. */
        void leave();
    }
}
