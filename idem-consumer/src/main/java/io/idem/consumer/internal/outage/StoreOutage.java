package io.idem.consumer.internal.outage;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A time in which the store of a scope is silent, and in which its listener gets no messages. Ends by itself, when the
 * store answers. Thread-safe.
 */
public final class StoreOutage {

    private static final long SLICE_MILLIS = 100;

    private final CountDownLatch over = new CountDownLatch(1);
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Duration longestHold;

    StoreOutage(Duration longestHold) {
        this.longestHold = longestHold;
    }

    void end() {
        over.countDown();
        end.complete(null);
    }

    /** Longest time that one delivery may be held for it. */
    public Duration longestHold() {
        return longestHold;
    }

    /**
     * Runs an action when the store is back; at once if it is.
     *
     * @param action must neither block nor throw; called once, on a thread of idem
     */
    public void whenOver(Runnable action) {
        var unused = end.thenRun(action);
    }

    /**
     * Waits for the end. Blocks.
     *
     * @param limit longest time of the wait
     * @param stopping ends the wait soon
     * @return false if the limit has passed, the container is stopping, or the thread was interrupted
     */
    public boolean await(Duration limit, BooleanSupplier stopping) {
        long until = System.nanoTime() + limit.toNanos();
        try {
            while (!stopping.getAsBoolean() && System.nanoTime() - until < 0) {
                if (over.await(SLICE_MILLIS, TimeUnit.MILLISECONDS)) {
                    return true;
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return false;
    }
}
