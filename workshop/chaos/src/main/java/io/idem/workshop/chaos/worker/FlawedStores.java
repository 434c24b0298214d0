package io.idem.workshop.chaos.worker;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.time.Duration;

/** Implements flaws by decorators of the store. */
final class FlawedStores {

    private FlawedStores() {}

    static IdempotencyStore takingBusyForDone(IdempotencyStore store) {
        return new PerRequestStore(store) {
            @Override
            public Claim acquire(AcquireRequest request) {
                Claim claim = super.acquire(request);
                return claim instanceof Claim.InProgress ? new Claim.Replay(StoredResult.NONE, 0) : claim;
            }
        };
    }

    static IdempotencyStore forgettingCompletions(IdempotencyStore store) {
        return new PerRequestStore(store) {
            @Override
            public StoreAnswer complete(Lease lease, StoredResult result) {
                return super.fail(lease, Duration.ZERO);
            }
        };
    }

    static IdempotencyStore withoutRenewals(IdempotencyStore store) {
        return new PerRequestStore(store) {
            @Override
            public StoreAnswer renew(Lease lease) {
                return new StoreAnswer.Ok(StoredResult.NONE);
            }
        };
    }

    /** Returns a store that uses the records of another scope. */
    static IdempotencyStore inTheSectionOf(String scope, IdempotencyStore store) {
        Scope shared = new Scope(scope);
        return new PerRequestStore(store) {
            @Override
            public Claim acquire(AcquireRequest request) {
                return super.acquire(new AcquireRequest(
                        new RecordId(request.record().key(), shared),
                        request.owner(),
                        request.lease(),
                        request.retention(),
                        request.fingerprint(),
                        request.fenceFloor(),
                        request.maxAttempts()));
            }
        };
    }
}
