package io.idem.consumer.internal.outage;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A time in which messages of a scope are held because the store does not take their work. Ends by itself, when the
 * store is to be tried with them. Thread-safe.
 */
public final class StoreOutage {

    private static final long SLICE_MILLIS = 25;

    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Duration longestHold;
    private final boolean readable;

    StoreOutage(Duration longestHold, boolean readable) {
        this.longestHold = longestHold;
        this.readable = readable;
    }

    void end() {
        end.complete(null);
    }

    /** Longest time that one delivery may be held for it. */
    public Duration longestHold() {
        return longestHold;
    }

    /** Returns whether the store answers what needs no write: other messages need not wait, they may be duplicates. */
    public boolean isReadable() {
        return readable;
    }

    /**
     * Runs an action at the end; at once if that has come.
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
            while (!end.isDone() && !stopping.getAsBoolean() && System.nanoTime() - until < 0) {
                TimeUnit.MILLISECONDS.sleep(SLICE_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
        return end.isDone() && !stopping.getAsBoolean();
    }
}
