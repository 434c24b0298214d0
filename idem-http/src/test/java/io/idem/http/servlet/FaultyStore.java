package io.idem.http.servlet;

import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.AcquireRequest;
import io.idem.spi.Claim;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Lease;
import io.idem.spi.RecordId;
import io.idem.spi.RecordSnapshot;
import io.idem.spi.Settlement;
import io.idem.spi.StoredResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The in-memory store on a clock that can be moved, with faults to order. Each fault is used once. */
final class FaultyStore implements IdempotencyStore {

    private final AtomicReference<Duration> offset = new AtomicReference<>(Duration.ZERO);
    private final InMemoryIdempotencyStore store =
            new InMemoryIdempotencyStore((InstantSource) () -> Instant.now().plus(offset.get()));
    private final AtomicReference<@Nullable RuntimeException> onAcquire = new AtomicReference<>();
    private final AtomicReference<@Nullable Function<Lease, Settlement>> onComplete = new AtomicReference<>();
    private final ConcurrentHashMap<IdempotencyKey, AtomicInteger> acquires = new ConcurrentHashMap<>();
    private volatile boolean silentOnComplete;

    static StoreUnavailableException silence() {
        return new StoreUnavailableException(
                "no answer",
                StoreUnavailableException.Execution.UNKNOWN,
                new IllegalStateException("ordered by a test"));
    }

    void failNextAcquire(RuntimeException failure) {
        onAcquire.set(failure);
    }

    /** What the next complete answers instead of completing; it may throw. */
    void answerNextComplete(Function<Lease, Settlement> answer) {
        onComplete.set(answer);
    }

    void silentOnComplete(boolean silent) {
        silentOnComplete = silent;
    }

    void advance(Duration by) {
        offset.accumulateAndGet(by, Duration::plus);
    }

    /** How often a key was asked for. */
    int acquires(IdempotencyKey key) {
        AtomicInteger count = acquires.get(key);
        return count == null ? 0 : count.get();
    }

    /** The store without its faults. */
    IdempotencyStore healthy() {
        return store;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        acquires.computeIfAbsent(request.record().key(), unused -> new AtomicInteger())
                .incrementAndGet();
        RuntimeException failure = onAcquire.getAndSet(null);
        if (failure != null) {
            throw failure;
        }
        return store.acquire(request);
    }

    @Override
    public Settlement complete(Lease lease, StoredResult result) {
        Function<Lease, Settlement> answer = onComplete.getAndSet(null);
        if (answer != null) {
            return answer.apply(lease);
        }
        if (silentOnComplete) {
            throw silence();
        }
        return store.complete(lease, result);
    }

    @Override
    public Settlement renew(Lease lease) {
        return store.renew(lease);
    }

    @Override
    public Settlement fail(Lease lease, Duration delay) {
        return store.fail(lease, delay);
    }

    @Override
    public Settlement reject(Lease lease, String reason) {
        return store.reject(lease, reason);
    }

    @Override
    public Settlement reopen(RecordId record, long expectedFence, Duration retention) {
        return store.reopen(record, expectedFence, retention);
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return store.inspect(record);
    }

    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return store.inspectAll(key);
    }

    @Override
    public void announce(Scope scope) {
        store.announce(scope);
    }

    @Override
    public void close() {}
}
