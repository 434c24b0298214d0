package io.idem.retry;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.RetryConfig;
import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.MonotonicClock;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.spi.AsyncIdempotencyStore;
import io.idem.spi.ForcedEnd;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Repeats calls that ended in {@link StoreUnavailableException}, with the same arguments and so with the same owner token,
 * until the budget is used up. Answers are never repeated, and neither are other exceptions. Renewals are not repeated
 * either: the heartbeat comes back by itself, and must not keep other leases waiting. Thread-safe if the store is.
 */
public final class RetryingIdempotencyStore implements IdempotencyStore {

    private static final double GROWTH = 2;
    private static final double VARIATION = 0.5;

    private final IdempotencyStore store;
    private final long budgetNanos;
    private final MonotonicClock clock;
    private final RetryConfig pauses;
    private final RetryingBatches batches;

    /** Wraps a store; closing closes it too. */
    public RetryingIdempotencyStore(IdempotencyStore store, RetrySettings settings) {
        this(store, settings, MonotonicClock.SYSTEM);
    }

    RetryingIdempotencyStore(IdempotencyStore store, RetrySettings settings, MonotonicClock clock) {
        this.store = store;
        this.budgetNanos = settings.budget().toNanos();
        this.clock = clock;
        this.pauses = RetryConfig.custom()
                .maxAttempts(Integer.MAX_VALUE)
                .intervalFunction(IntervalFunction.ofExponentialRandomBackoff(
                        settings.firstPause(), GROWTH, VARIATION, settings.longestPause()))
                .build();
        this.batches = new RetryingBatches(store::async, pauses, this::budget);
    }

    private <T> T repeated(Supplier<T> call) {
        return new Repetition(pauses, budget()).run(call);
    }

    private BooleanSupplier budget() {
        long start = clock.nanoTime();
        return () -> clock.nanoTime() - start < budgetNanos;
    }

    /** Repeats only the requests of a batch that failed, each until its own answer is there; no thread waits between the tries. */
    @Override
    public AsyncIdempotencyStore async() {
        return batches;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        return repeated(() -> store.acquire(request));
    }

    @Override
    public StoreAnswer renew(Lease lease) {
        return store.renew(lease);
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        return repeated(() -> store.complete(lease, result));
    }

    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        return repeated(() -> store.fail(lease, delay));
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        return repeated(() -> store.reject(lease, reason));
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return repeated(() -> store.reopen(record, expectedFence, retention));
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        return repeated(() -> store.force(record, expectedFence, end, retention));
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return repeated(() -> store.erase(record));
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return repeated(() -> store.inspect(record));
    }

    @Override
    public List<RecordSnapshot> inspectAll(IdempotencyKey key) {
        return repeated(() -> store.inspectAll(key));
    }

    @Override
    public void announce(Scope scope) {
        repeated(() -> {
            store.announce(scope);
            return scope;
        });
    }

    @Override
    public void close() {
        batches.close();
        store.close();
    }
}
