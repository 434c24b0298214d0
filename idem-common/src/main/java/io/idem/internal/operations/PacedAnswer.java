package io.idem.internal.operations;

import io.idem.MonotonicClock;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The answer to a question that health endpoints ask. At most one caller at a time, and once a second, asks it; the
 * others get the last answer. Thread-safe; blocks the caller that asks as long as the question takes.
 *
 * @param <T> the type of the answer
 */
public final class PacedAnswer<T> {

    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final Supplier<T> question;
    private final MonotonicClock clock;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile T last;
    private volatile long nextAt;

    /** @param first the answer until the question was asked for the first time */
    public PacedAnswer(Supplier<T> question, T first, MonotonicClock clock) {
        this.question = question;
        this.clock = clock;
        this.last = first;
        this.nextAt = clock.nanoTime();
    }

    public T get() {
        if (clock.nanoTime() - nextAt >= 0 && asking.tryLock()) {
            try {
                last = question.get();
                nextAt = clock.nanoTime() + PAUSE;
            } finally {
                asking.unlock();
            }
        }
        return last;
    }
}
