package io.idem.http.outcome;

import io.idem.IdempotencyKey;
import io.idem.http.OperationStatus;
import io.idem.http.internal.admission.AttemptWaits;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** An operation whose outcome one or more callers wait for. A single thread reads its records. */
final class WatchedOperation {

    private final Target target;
    private final Set<Waiter> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean ended;
    private volatile long until;
    private volatile OutcomeSnapshot lastSeen = OutcomeSnapshot.NOTHING;
    private Duration pause = AttemptWaits.FIRST_PAUSE;

    WatchedOperation(Target target, Duration atMost) {
        this.target = target;
        this.until = System.nanoTime() + atMost.toNanos();
    }

    Target target() {
        return target;
    }

    /**
     * Returns the state that was read last when the operation has its outcome or the time is over. The caller is forgotten then, even if
     * others go on waiting.
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

    /** Ends the waits of all callers. */
    void end() {
        ended = true;
        waiting.forEach(each -> each.over.complete(true));
    }

    int waiting() {
        return waiting.size();
    }

    /** Takes over the wait of another caller; called by one thread at a time. */
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

    /**
     * Returns the pause before the next read, varied at random so that simultaneous waits spread out. Called by the reading thread only.
     */
    Duration nextPause() {
        Duration next = pause;
        pause = AttemptWaits.after(pause);
        return Duration.ofNanos(
                (long) (next.toNanos() * ThreadLocalRandom.current().nextDouble(0.5, 1)));
    }

    /**
     * The outcome that is awaited.
     *
     * @param key key of the operation
     * @param alternatives sets of scopes, one of which is enough
     */
    record Target(IdempotencyKey key, Set<Set<String>> alternatives) {}

    /** A caller that waits. */
    private static final class Waiter {

        private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    }
}
