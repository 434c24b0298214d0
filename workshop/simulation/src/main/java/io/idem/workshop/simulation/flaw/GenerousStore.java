package io.idem.workshop.simulation.flaw;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.time.Duration;

/** Gives a repeated acquire of the same owner a new grant. */
final class GenerousStore extends PerRequestStore {

    GenerousStore(IdempotencyStore store) {
        super(store);
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        Claim claim = super.acquire(request);
        if (claim instanceof Claim.Granted granted && granted.kind() == Claim.GrantKind.REENTRANT) {
            var unused = super.fail(granted.lease(), Duration.ZERO);
            return super.acquire(request);
        }
        return claim;
    }
}
