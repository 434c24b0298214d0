package io.idem.http.outcome;

import io.idem.IdempotencyException;
import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.http.OperationStatusReader;
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

/**
 * Waits until consumers have completed or rejected operations, without a thread for each that waits: one thread reads their records in
 * turn, an operation's once for all who wait for it, at pauses that grow from 20 to 500 ms. So the store never has more than one such
 * read at a time from this process. While the store is silent the waiting goes on, up to its end. Thread-safe; never blocks its callers.
 */
public final class OutcomeWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OutcomeWatch.class);

    private final OperationStatusReader operations;
    private final Semaphore places;
    private final Map<WatchedOperation.Target, WatchedOperation> watched = new ConcurrentHashMap<>();
    private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "idem-outcomes");
        daemon.setDaemon(true);
        return daemon;
    });

    /**
     * A watch.
     *
     * @param most how many may wait at a time
     */
    public OutcomeWatch(OperationStatusReader operations, int most) {
        this.operations = operations;
        this.places = new Semaphore(most);
    }

    /**
     * Waits for an operation's outcome.
     *
     * @param alternatives sets of consumers; the waiting ends when all of one set have completed the operation, or one of them has
     *     rejected it
     * @param atMost after this time it ends with {@link OutcomeSnapshot.Finding#OPEN}; as it does when the watch is closed
     * @return empty if as many wait as may. What follows the stage must not block
     */
    public Optional<CompletableFuture<OutcomeSnapshot>> await(
            IdempotencyKey key, Set<Set<Scope>> alternatives, Duration atMost) {
        if (!places.tryAcquire()) {
            return Optional.empty();
        }
        WatchedOperation shared =
                watch(new WatchedOperation(new WatchedOperation.Target(key, names(alternatives)), atMost));
        return Optional.of(shared.waitFor(atMost).thenApply(snapshot -> {
            places.release();
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
        } catch (IdempotencyException silent) {
            LOG.debug("{} cannot be read; looked at again", operation.target().key(), silent);
        } catch (RuntimeException broken) {
            LOG.warn("{} cannot be read; looked at again", operation.target().key(), broken);
        }
    }

    private void end(WatchedOperation operation) {
        watched.remove(operation.target(), operation);
        operation.end();
    }

    /** How many are looked at. */
    int operations() {
        return watched.size();
    }

    /** How many wait. */
    int waiting() {
        return watched.values().stream().mapToInt(WatchedOperation::waiting).sum();
    }

    /** Ends all waiting with what was seen last. */
    @Override
    public void close() {
        reader.shutdownNow();
        watched.values().forEach(this::end);
    }
}
