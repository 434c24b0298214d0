package io.idem.sim.flaw;

import io.idem.Lease;
import io.idem.SettleRequest;
import io.idem.Settlement;
import io.idem.StoredResult;
import io.idem.spi.ForwardingIdempotencyStore;
import io.idem.spi.IdempotencyStore;

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
