package io.idem;

import java.time.Duration;

/**
 * Until when an owner may trust its lease without asking: the monotonic time <em>before sending</em> the acquire or renewal,
 * plus the lease, less the margin. Lost once, it stays lost.
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

    boolean passed() {
        return lost || clock.nanoTime() - deadline >= 0;
    }

    void extendFrom(long sentAt) {
        deadline = sentAt + trustedNanos;
    }

    void lose() {
        lost = true;
    }

    Duration remaining() {
        return lost ? Duration.ZERO : Duration.ofNanos(Math.max(0, deadline - clock.nanoTime()));
    }
}
