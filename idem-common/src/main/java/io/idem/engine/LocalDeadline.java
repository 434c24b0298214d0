package io.idem.engine;

import io.idem.ExecutionPolicy;
import io.idem.MonotonicClock;

/**
 * Moment until which an owner may trust its lease without asking the store: the monotonic time <em>before sending</em>
 * the acquire or renewal, plus the lease, less the margin. A lost deadline stays lost. Thread-safe.
 */
final class LocalDeadline {

    private static final long ENDLESS = Long.MAX_VALUE;

    private final MonotonicClock clock;
    private final long trustedNanos;
    private volatile long deadline;
    private volatile boolean lost;

    LocalDeadline(MonotonicClock clock, ExecutionPolicy policy, long sentAt) {
        this(clock, policy.lease().minus(policy.margin()).toNanos(), sentAt);
    }

    private LocalDeadline(MonotonicClock clock, long trustedNanos, long sentAt) {
        this.clock = clock;
        this.trustedNanos = trustedNanos;
        this.deadline = sentAt + trustedNanos;
    }

    /** Returns a deadline that does not pass by time, whatever is renewed, for attempts without a lease. */
    static LocalDeadline none() {
        return new LocalDeadline(() -> 0, ENDLESS, 0);
    }

    /**
     * Returns whether the deadline has passed or is lost. Reads the loss last, so that an extension after the loss does
     * not hide it.
     */
    boolean passed() {
        return clock.nanoTime() - deadline >= 0 || lost;
    }

    /** Returns the nanoseconds until the deadline; negative afterwards. */
    long remainingNanos() {
        return deadline - clock.nanoTime();
    }

    /** Extends the deadline. Answers may overtake each other: the latest deadline counts. */
    synchronized void extendFrom(long sentAt) {
        if (trustedNanos == ENDLESS) {
            return;
        }
        long extended = sentAt + trustedNanos;
        if (extended - deadline > 0) {
            deadline = extended;
        }
    }

    void lose() {
        lost = true;
    }
}
