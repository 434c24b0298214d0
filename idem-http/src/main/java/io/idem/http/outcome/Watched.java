package io.idem.http.outcome;

import io.idem.IdempotencyKey;
import io.idem.http.OperationStatus;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/** An operation that somebody waits for. One thread looks at it; others join it. */
final class Watched {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final Target target;
    private final CompletableFuture<Sighting> outcome = new CompletableFuture<>();
    private volatile long until;
    private volatile Sighting lastSeen = Sighting.NOTHING;
    private Duration pause = FIRST_PAUSE;

    Watched(Target target, Duration atMost) {
        this.target = target;
        this.until = System.nanoTime() + atMost.toNanos();
    }

    Target target() {
        return target;
    }

    /** Ends when the operation is settled, or nobody waits any more. */
    CompletableFuture<Sighting> outcome() {
        return outcome;
    }

    /** Called by one thread at a time. */
    Watched joinedBy(Watched other) {
        if (other.until - until > 0) {
            until = other.until;
        }
        return this;
    }

    boolean awaited() {
        return until - System.nanoTime() > 0;
    }

    void saw(OperationStatus status) {
        lastSeen = Sighting.of(status, target.alternatives());
    }

    Sighting lastSeen() {
        return lastSeen;
    }

    /** Varied at random, so that those who began together do not stay in step. For the thread that looks. */
    Duration nextPause() {
        Duration next = pause;
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        return Duration.ofNanos(
                (long) (next.toNanos() * ThreadLocalRandom.current().nextDouble(0.5, 1)));
    }

    /**
     * What is waited for.
     *
     * @param key the operation's
     * @param alternatives sets of scopes, one of which is enough
     */
    record Target(IdempotencyKey key, Set<Set<String>> alternatives) {}
}
