package io.idem.sim.flaw;

import io.idem.spi.AcquireRequest;
import io.idem.spi.Claim;
import io.idem.spi.ForwardingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Lease;
import io.idem.spi.RecordId;
import io.idem.spi.Settlement;
import io.idem.spi.StoredResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Does not ask whose lease it is: whoever settles, settles. */
final class ForgivingStore extends ForwardingIdempotencyStore {

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

    private Lease current(Lease lease) {
        return current.getOrDefault(lease.record(), lease);
    }

    @Override
    public Settlement renew(Lease lease) {
        return super.renew(current(lease));
    }

    @Override
    public Settlement complete(Lease lease, StoredResult result) {
        return super.complete(current(lease), result);
    }

    @Override
    public Settlement fail(Lease lease, Duration delay) {
        return super.fail(current(lease), delay);
    }

    @Override
    public Settlement reject(Lease lease, String reason) {
        return super.reject(current(lease), reason);
    }
}
