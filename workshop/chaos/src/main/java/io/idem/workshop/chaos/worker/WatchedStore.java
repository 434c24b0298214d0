package io.idem.workshop.chaos.worker;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;

/** A store that logs grants. Changes no answer. */
final class WatchedStore extends PerRequestStore {

    private final GrantLog log;

    WatchedStore(IdempotencyStore store, GrantLog log) {
        super(store);
        this.log = log;
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        Claim claim = super.acquire(request);
        if (claim instanceof Claim.Granted granted) {
            log.add(granted);
        }
        return claim;
    }
}
