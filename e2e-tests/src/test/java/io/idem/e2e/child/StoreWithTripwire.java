package io.idem.e2e.child;

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

/** The application's store, with a tripwire after its grants and around COMPLETE. Changes no answer. */
final class StoreWithTripwire implements IdempotencyStore {

    private final IdempotencyStore store;
    private final Tripwire tripwire;
    private final CurrentRecord current;

    StoreWithTripwire(IdempotencyStore store, Tripwire tripwire, CurrentRecord current) {
        this.store = store;
        this.tripwire = tripwire;
        this.current = current;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        Claim claim = store.acquire(request);
        if (claim instanceof Claim.Granted) {
            current.begin(request.record());
            tripwire.pass(Point.GRANTED, request.record());
        }
        return claim;
    }

    @Override
    public Settlement complete(Lease lease, StoredResult result) {
        current.end();
        tripwire.pass(Point.CONFIRMED, lease.record());
        Settlement settlement = store.complete(lease, result);
        tripwire.pass(Point.COMPLETED, lease.record());
        return settlement;
    }

    @Override
    public Settlement renew(Lease lease) {
        return store.renew(lease);
    }

    @Override
    public Settlement fail(Lease lease, Duration delay) {
        current.end();
        return store.fail(lease, delay);
    }

    @Override
    public Settlement reject(Lease lease, String reason) {
        current.end();
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
