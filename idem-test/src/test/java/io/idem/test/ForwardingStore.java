package io.idem.test;

import io.idem.IdempotencyKey;
import io.idem.Scope;
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

/** Passes every call on; subclasses break some. */
class ForwardingStore implements IdempotencyStore {

    private final IdempotencyStore store;

    ForwardingStore(IdempotencyStore store) {
        this.store = store;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        return store.acquire(request);
    }

    @Override
    public Settlement renew(Lease lease) {
        return store.renew(lease);
    }

    @Override
    public Settlement complete(Lease lease, StoredResult result) {
        return store.complete(lease, result);
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
    public void close() {
        store.close();
    }
}
