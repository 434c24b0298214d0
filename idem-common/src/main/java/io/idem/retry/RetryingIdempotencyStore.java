package io.idem.retry;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.RetryConfig;
import io.idem.IdempotencyKey;
import io.idem.MonotonicClock;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.spi.AcquireRequest;
import io.idem.spi.Claim;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Lease;
import io.idem.spi.RecordId;
import io.idem.spi.RecordSnapshot;
import io.idem.spi.Settlement;
import io.idem.spi.StoredResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
    }

    private <T> T repeated(Supplier<T> call) {
        long start = clock.nanoTime();
        return new Repetition(pauses, () -> clock.nanoTime() - start < budgetNanos).run(call);
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        return repeated(() -> store.acquire(request));
    }

    @Override
    public Settlement renew(Lease lease) {
        return store.renew(lease);
    }

    @Override
    public Settlement complete(Lease lease, StoredResult result) {
        return repeated(() -> store.complete(lease, result));
    }

    @Override
    public Settlement fail(Lease lease, Duration delay) {
        return repeated(() -> store.fail(lease, delay));
    }

    @Override
    public Settlement reject(Lease lease, String reason) {
        return repeated(() -> store.reject(lease, reason));
    }

    @Override
    public Settlement reopen(RecordId record, long expectedFence, Duration retention) {
        return repeated(() -> store.reopen(record, expectedFence, retention));
    }

    @Override
    public Settlement erase(RecordId record) {
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
        store.close();
    }
}
