package io.idem.workshop.simulation.flaw;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.spi.IdempotencyStore;
import java.util.HashMap;
import java.util.Map;

/** Accepts record updates from any owner. */
final class ForgivingStore extends ExchangedLeases {

    private final Map<RecordId, Lease> current = new HashMap<>();

    ForgivingStore(IdempotencyStore store) {
        super(store);
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        Claim claim = super.acquire(request);
        if (claim instanceof Claim.Granted granted) {
            current.put(request.record(), granted.lease());
        }
        return claim;
    }

    @Override
    Lease exchanged(Lease lease) {
        return current.getOrDefault(lease.record(), lease);
    }
}
