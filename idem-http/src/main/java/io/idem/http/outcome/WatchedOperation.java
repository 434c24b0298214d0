package io.idem.http.outcome;

import io.idem.IdempotencyKey;
import io.idem.http.OperationStatus;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** An operation whose outcome requests wait for. One thread looks at its records; others join. */
final class WatchedOperation {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final Target target;
    private final Set<Waiter> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;
    private volatile long until;
    private volatile OutcomeSnapshot lastSeen = OutcomeSnapshot.NOTHING;
    private Duration pause = FIRST_PAUSE;

    WatchedOperation(Target target, Duration atMost) {
        this.target = target;
        this.until = System.nanoTime() + atMost.toNanos();
    }

    Target target() {
        return target;
    }

    /**
     * Ends with what was seen last, when the operation is settled or after a time. Who has waited is forgotten then, however long others
     * go on waiting.
     */
    CompletableFuture<OutcomeSnapshot> waitFor(Duration atMost) {
        Waiter mine = new Waiter();
        waiting.add(mine);
        if (ended) {
            mine.over.complete(true);
        }
        return mine.over
                .completeOnTimeout(false, atMost.toNanos(), TimeUnit.NANOSECONDS)
                .thenApply(over -> {
                    waiting.remove(mine);
                    return lastSeen;
                });
    }

    /** Ends all waiting. */
    void end() {
        ended = true;
        waiting.forEach(each -> each.over.complete(true));
    }

    int waiting() {
        return waiting.size();
    }

    /** Called by one thread at a time. */
    WatchedOperation joinedBy(WatchedOperation other) {
        if (other.until - until > 0) {
            until = other.until;
        }
        return this;
    }

    boolean awaited() {
        return until - System.nanoTime() > 0;
    }

    void saw(OperationStatus status) {
        lastSeen = OutcomeSnapshot.of(status, target.alternatives());
    }

    OutcomeSnapshot lastSeen() {
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

    /** Somebody who waits. */
    private static final class Waiter {

        private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    }
}
