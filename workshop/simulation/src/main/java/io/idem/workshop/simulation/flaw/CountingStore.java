package io.idem.workshop.simulation.flaw;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.spi.IdempotencyStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts fences from 1 for each record. */
final class CountingStore extends ExchangedLeases {

    private final Map<RecordId, List<Long>> fences = new HashMap<>();

    CountingStore(IdempotencyStore store) {
        super(store);
    }

    private List<Long> of(RecordId record) {
        return fences.computeIfAbsent(record, fresh -> new ArrayList<>());
    }

    private long counted(RecordId record, long fence) {
        List<Long> known = of(record);
        if (!known.contains(fence)) {
            known.add(fence);
        }
        return known.indexOf(fence) + 1L;
    }

    @Override
    Lease exchanged(Lease lease) {
        List<Long> known = of(lease.record());
        int index = (int) lease.fence() - 1;
        return with(lease, index < known.size() ? known.get(index) : 0);
    }

    private static Lease with(Lease lease, long fence) {
        return new Lease(lease.record(), lease.owner(), fence, lease.attempt(), lease.duration(), lease.retention());
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        Claim claim = super.acquire(request);
        return claim instanceof Claim.Granted granted
                ? new Claim.Granted(
                        with(
                                granted.lease(),
                                counted(request.record(), granted.lease().fence())),
                        granted.kind())
                : claim;
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        return super.inspect(record)
                .map(found -> new RecordSnapshot(
                        found.scope(),
                        found.state(),
                        found.attempts(),
                        counted(record, found.fence()),
                        found.fingerprint(),
                        found.at(),
                        found.result(),
                        found.reason()));
    }
}
