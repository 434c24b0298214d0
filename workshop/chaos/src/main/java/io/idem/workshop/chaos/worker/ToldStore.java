package io.idem.workshop.chaos.worker;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;

/** A store that logs acquires, grants, renewals and completions. Changes no answer. */
final class ToldStore extends PerRequestStore {

    private final StoryLog log;

    ToldStore(IdempotencyStore store, StoryLog log) {
        super(store);
        this.log = log;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        log.asked(request.record());
        Claim claim = super.acquire(request);
        if (claim instanceof Claim.Granted granted) {
            log.add(granted.kind().name(), granted.lease());
        }
        return claim;
    }

    @Override
    public StoreAnswer renew(Lease lease) {
        return told("RENEWED", lease, super.renew(lease));
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        return told("COMPLETED", lease, super.complete(lease, result));
    }

    private StoreAnswer told(String what, Lease lease, StoreAnswer settlement) {
        if (settlement instanceof StoreAnswer.Ok) {
            log.add(what, lease);
        }
        return settlement;
    }
}
