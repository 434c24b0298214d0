package io.idem.http.outcome;

import io.idem.IdempotencyException;
import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.http.OperationStatusReader;
import io.idem.internal.DaemonThreads;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Waits until consumers have completed or rejected operations. A single thread reads the records in turn, those of an operation once for
 * all callers that wait for it, at pauses that grow from 20 to 500 ms; so the store has at most one such read at a time from this process.
 * If the store does not answer, the wait goes on until its time is over. Thread-safe; never blocks its callers.
 */
public final class OutcomeWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OutcomeWatch.class);

    private final OperationStatusReader operations;
    private final Semaphore permits;
    private final Map<WatchedOperation.Target, WatchedOperation> watched = new ConcurrentHashMap<>();
    private final ScheduledExecutorService reader =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("idem-outcomes"));

    /**
     * Creates a watch.
     *
     * @param most largest number of callers that may wait at a time
     */
    public OutcomeWatch(OperationStatusReader operations, int most) {
        this.operations = operations;
        this.permits = new Semaphore(most);
    }

    /**
     * Waits for an operation's outcome.
     *
     * @param alternatives sets of consumers; the wait ends when all consumers of a set have completed the operation, or one of them has
     *     rejected it
     * @param atMost longest wait, after which the finding is {@link OutcomeSnapshot.Finding#OPEN}, as when the watch is closed
     * @return the outcome, whose dependent stages must not block; empty if too many callers wait already
     */
    public Optional<CompletableFuture<OutcomeSnapshot>> await(
            IdempotencyKey key, Set<Set<Scope>> alternatives, Duration atMost) {
        if (!permits.tryAcquire()) {
            return Optional.empty();
        }
        WatchedOperation shared =
                watch(new WatchedOperation(new WatchedOperation.Target(key, names(alternatives)), atMost));
        return Optional.of(shared.waitFor(atMost).thenApply(snapshot -> {
            permits.release();
            return snapshot;
        }));
    }

    private static Set<Set<String>> names(Set<Set<Scope>> alternatives) {
        return alternatives.stream()
                .map(scopes -> scopes.stream().map(Scope::name).collect(Collectors.toUnmodifiableSet()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private WatchedOperation watch(WatchedOperation wanted) {
        WatchedOperation shared = watched.merge(wanted.target(), wanted, WatchedOperation::joinedBy);
        if (shared == wanted) {
            lookIn(Duration.ZERO, wanted);
        }
        return shared;
    }

    private void lookIn(Duration pause, WatchedOperation operation) {
        try {
            var unused = reader.schedule(() -> look(operation), pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            end(operation);
        }
    }

    private void look(WatchedOperation operation) {
        read(operation);
        boolean awaited = !operation.lastSeen().settled()
                && watched.computeIfPresent(operation.target(), (same, present) -> present.awaited() ? present : null)
                        != null;
        if (awaited) {
            lookIn(operation.nextPause(), operation);
        } else {
            end(operation);
        }
    }

    private void read(WatchedOperation operation) {
        try {
            operations.read(operation.target().key()).ifPresent(operation::saw);
        } catch (Throwable failed) {
            LOG.atLevel(failed instanceof IdempotencyException ? Level.DEBUG : Level.WARN)
                    .setCause(failed)
                    .log(
                            "Key {} of scopes {} cannot be read; it is read again after a pause",
                            operation.target().key().id(),
                            operation.target().alternatives());
        }
    }

    private void end(WatchedOperation operation) {
        watched.remove(operation.target(), operation);
        operation.end();
    }

    /** Returns the number of operations that are awaited. */
    int operations() {
        return watched.size();
    }

    /** Returns the number of callers that wait. */
    int waiting() {
        return watched.values().stream().mapToInt(WatchedOperation::waiting).sum();
    }

    /** Ends all waits with the states that were read last. */
    @Override
    public void close() {
        reader.shutdownNow();
        watched.values().forEach(this::end);
    }
}
