package io.idem.sim.flaw;

import io.idem.spi.ForwardingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Lease;
import io.idem.spi.SettleRequest;
import io.idem.spi.Settlement;
import io.idem.spi.StoredResult;

/** Sends COMPLETE and waits for nothing. */
final class HastyStore extends ForwardingIdempotencyStore {

    HastyStore(IdempotencyStore store) {
        super(store);
    }

    @Override
    public Settlement complete(Lease lease, StoredResult result) {
        var unused = delegate().async().settle(new SettleRequest.Complete(lease, result));
        return new Settlement.Ok(result);
    }
}
