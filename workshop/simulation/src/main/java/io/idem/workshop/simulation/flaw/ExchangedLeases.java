package io.idem.workshop.simulation.flaw;

import io.idem.Lease;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.time.Duration;

/** Updates records with a different lease than the given one. */
abstract class ExchangedLeases extends PerRequestStore {

    ExchangedLeases(IdempotencyStore store) {
        super(store);
    }

    abstract Lease exchanged(Lease lease);

    @Override
    public StoreAnswer renew(Lease lease) {
        return super.renew(exchanged(lease));
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        return super.complete(exchanged(lease), result);
    }

    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        return super.fail(exchanged(lease), delay);
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        return super.reject(exchanged(lease), reason);
    }
}
