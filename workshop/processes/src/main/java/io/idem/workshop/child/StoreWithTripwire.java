package io.idem.workshop.child;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.time.Duration;

/** The store of the application, with a tripwire after its grants, and around REMEMBER and COMPLETE. Changes no answer. */
final class StoreWithTripwire extends PerRequestStore {

    private final Tripwire tripwire;
    private final CurrentRecord current;

    StoreWithTripwire(IdempotencyStore store, Tripwire tripwire, CurrentRecord current) {
        super(store);
        this.tripwire = tripwire;
        this.current = current;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        tripwire.pass(Point.ACQUIRING, request.record());
        Claim claim = super.acquire(request);
        if (claim instanceof Claim.Granted) {
            current.begin(request.record());
            tripwire.pass(Point.GRANTED, request.record());
        }
        return claim;
    }

    @Override
    public StoreAnswer update(RecordUpdate update) {
        if (!(update instanceof RecordUpdate.Remember)) {
            return super.update(update);
        }
        RecordId record = update.lease().record();
        tripwire.pass(Point.STEPPED, record);
        StoreAnswer answer = super.update(update);
        tripwire.pass(Point.REMEMBERED, record);
        return answer;
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        current.end();
        tripwire.pass(Point.CONFIRMED, lease.record());
        StoreAnswer settlement = super.complete(lease, result);
        tripwire.pass(Point.COMPLETED, lease.record());
        current.settled(lease.record());
        return settlement;
    }

    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        current.end();
        return super.fail(lease, delay);
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        current.end();
        return super.reject(lease, reason);
    }
}
