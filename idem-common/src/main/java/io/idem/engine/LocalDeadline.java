package io.idem.engine;

import io.idem.ExecutionPolicy;
import io.idem.MonotonicClock;

/**
 * Until when an owner may trust its lease without asking: the monotonic time <em>before sending</em> the acquire or renewal,
 * plus the lease, less the margin. Lost once, it stays lost. Thread-safe.
 */
final class LocalDeadline {

    private final MonotonicClock clock;
    private final long trustedNanos;
    private volatile long deadline;
    private volatile boolean lost;

    LocalDeadline(MonotonicClock clock, ExecutionPolicy policy, long sentAt) {
        this.clock = clock;
        this.trustedNanos = policy.lease().minus(policy.margin()).toNanos();
        this.deadline = sentAt + trustedNanos;
    }

    /** For attempts that are bound by no lease: never passes. */
    static LocalDeadline none() {
        return new LocalDeadline(() -> 0, ExecutionPolicy.defaults(), 0);
    }

    /** Looks at the loss last: an extension that came after it must not be all that is seen. */
    boolean passed() {
        return clock.nanoTime() - deadline >= 0 || lost;
    }

    /** Nanoseconds until it passes; negative afterwards. */
    long remainingNanos() {
        return deadline - clock.nanoTime();
    }

    /** Answers may overtake each other: the latest deadline counts. */
    synchronized void extendFrom(long sentAt) {
        long extended = sentAt + trustedNanos;
        if (extended - deadline > 0) {
            deadline = extended;
        }
    }

    void lose() {
        lost = true;
    }
}
