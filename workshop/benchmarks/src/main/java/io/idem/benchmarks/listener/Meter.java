package io.idem.benchmarks.listener;

import io.idem.benchmarks.report.Figures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts messages, and measures the time of those after the warm-up. Thread-safe. */
final class Meter {

    /** The longest wait for the next message. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final double NANOS = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;

    private final int warmUp;
    private final int counted;
    private final Duration patience;
    private final AtomicInteger seen = new AtomicInteger();
    private final CompletableFuture<Usage> begin = new CompletableFuture<>();
    private final CompletableFuture<Usage> end = new CompletableFuture<>();
    private final AtomicInteger first = new AtomicInteger();

    Meter(int warmUp, int counted) {
        this(warmUp, counted, PATIENCE);
    }

    Meter(int warmUp, int counted, Duration patience) {
        this.warmUp = warmUp;
        this.counted = counted;
        this.patience = patience;
    }

    /** Returns the number of expected messages. */
    int messages() {
        return warmUp + counted;
    }

    /** Adds handled messages. */
    void done(int messages) {
        int now = seen.addAndGet(messages);
        if (now >= warmUp && !begin.isDone()) {
            first.compareAndSet(0, now);
            begin.complete(Usage.now());
        }
        if (now >= messages()) {
            end.complete(Usage.now());
        }
    }

    /**
     * Waits until all messages are handled. The listener may take long on a busy machine, but the wait fails when no
     * message was handled for some time.
     */
    void await() throws Exception {
        int before = -1;
        while (!isOver()) {
            int now = seen.get();
            if (now == before) {
                throw new IllegalStateException("Only " + now + " of " + messages()
                        + " messages were done, and none within the last " + patience + "; the listener's threads:"
                        + Standing.stacks());
            }
            before = now;
        }
    }

    private boolean isOver() throws Exception {
        try {
            end.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException slow) {
            return false;
        }
    }

    /** Records the figures of the messages after the warm-up; called when all are handled. */
    void report(String name, Figures figures) {
        Usage used = end.join().since(begin.join());
        double messages = messages() - first.get();
        figures.add(name, "/s", messages * NANOS / used.nanos());
        figures.add(name + " CPU", "µs", used.cpuNanos() / NANOS_PER_MICRO / messages);
        figures.add(name + " allocated", "B", used.allocated() / messages);
    }
}
