package io.idem.internal.operations;

import io.idem.MonotonicClock;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a question that health endpoints ask. At most one caller at a time, and once a second, asks it; the
 * others get the last answer, or the first one once that caller has waited for ten seconds. Thread-safe; blocks the caller
 * that asks as long as the question takes.
 *
 * @param <T> the type of the answer
 */
public final class PacedAnswer<T> {

    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    /** The time after which the last answer is too old to be given: a database may never answer. */
    private static final long LONGEST = Duration.ofSeconds(10).toNanos();

    private final Supplier<T> question;
    private final MonotonicClock clock;
    private final ReentrantLock asking = new ReentrantLock();
    private final T first;
    private volatile T last;
    private volatile long nextAt;
    private volatile @Nullable Long askedAt;

    /** @param first the answer until the question is answered for the first time, and while it is not answered any more */
    public PacedAnswer(Supplier<T> question, T first, MonotonicClock clock) {
        this.question = question;
        this.clock = clock;
        this.first = first;
        this.last = first;
        this.nextAt = clock.nanoTime();
    }

    public T get() {
        if (clock.nanoTime() - nextAt >= 0 && asking.tryLock()) {
            try {
                askedAt = clock.nanoTime();
                last = question.get();
                nextAt = clock.nanoTime() + PAUSE;
            } finally {
                askedAt = null;
                asking.unlock();
            }
        }
        Long since = askedAt;
        return since != null && clock.nanoTime() - since > LONGEST ? first : last;
    }
}
