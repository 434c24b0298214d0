package io.idem.spi;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Passes every call on to another store: for stores that change some calls of another one. {@link #async()} answers on the
 * thread of its caller through the methods of this class, so that a subclass that changes a call changes both forms of it; a
 * subclass that sits in front of a store with a form of its own overrides {@link #async()} too.
 */
public abstract class ForwardingIdempotencyStore implements IdempotencyStore {

    private final IdempotencyStore store;

    /** Forwards to {@code store}; closing closes it too. */
    protected ForwardingIdempotencyStore(IdempotencyStore store) {
        this.store = store;
    }

    /** The store that calls are passed on to. */
    protected final IdempotencyStore delegate() {
        return store;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        return store.acquire(request);
    }

    @Override
    public StoreAnswer renew(Lease lease) {
        return store.renew(lease);
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        return store.complete(lease, result);
    }

    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        return store.fail(lease, delay);
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        return store.reject(lease, reason);
    }

    @Override
    public StoreAnswer reopen(RecordId record, long expectedFence, Duration retention) {
        return store.reopen(record, expectedFence, retention);
    }

    @Override
    public StoreAnswer force(RecordId record, long expectedFence, ForcedEnd end, Duration retention) {
        return store.force(record, expectedFence, end, retention);
    }

    @Override
    public StoreAnswer erase(RecordId record) {
        return store.erase(record);
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
    public void close() {
        store.close();
    }
}
