package io.idem.workshop.simulation.flaw;

import io.idem.Lease;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.util.List;

/** Sends COMPLETE without waiting for its answer. */
final class HastyStore extends PerRequestStore {

    HastyStore(IdempotencyStore store) {
        super(store);
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        var unused = delegate().update(List.of(new RecordUpdate.Complete(lease, result)));
        return new StoreAnswer.Ok(result);
    }
}
