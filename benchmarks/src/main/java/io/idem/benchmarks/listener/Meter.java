package io.idem.benchmarks.listener;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts messages, and times those that come after the warm-up. Thread-safe. */
final class Meter {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final double NANOS = 1e9;

    private final int warmUp;
    private final int counted;
    private final AtomicInteger seen = new AtomicInteger();
    private final CompletableFuture<Long> begin = new CompletableFuture<>();
    private final CompletableFuture<Long> end = new CompletableFuture<>();
    private final AtomicInteger first = new AtomicInteger();

    Meter(int warmUp, int counted) {
        this.warmUp = warmUp;
        this.counted = counted;
    }

    /** How many messages have to be there. */
    int messages() {
        return warmUp + counted;
    }

    /** So many more are done. */
    void done(int messages) {
        int now = seen.addAndGet(messages);
        if (now >= warmUp && !begin.isDone()) {
            first.compareAndSet(0, now);
            begin.complete(System.nanoTime());
        }
        if (now >= messages()) {
            end.complete(System.nanoTime());
        }
    }

    /** Messages per second after the warm-up; waits until all are done. */
    double rate() throws Exception {
        long to = end.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        return (messages() - first.get()) * NANOS / (to - begin.join());
    }
}
