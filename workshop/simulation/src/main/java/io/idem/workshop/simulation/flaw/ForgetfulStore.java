package io.idem.workshop.simulation.flaw;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Simulates the deletion of records, by using a new name for each following record. */
final class ForgetfulStore extends PerRequestStore {

    private final InstantSource clock;
    private final boolean whenCleared;
    private final boolean withTheLease;
    private final Map<RecordId, Integer> deletions = new HashMap<>();

    ForgetfulStore(IdempotencyStore store, InstantSource clock, boolean whenCleared, boolean withTheLease) {
        super(store);
        this.clock = clock;
        this.whenCleared = whenCleared;
        this.withTheLease = withTheLease;
    }

    private RecordId name(RecordId record) {
        int deleted = deletions.getOrDefault(record, 0);
        IdempotencyKey key = record.key();
        return deleted == 0
                ? record
                : new RecordId(new IdempotencyKey(key.tenant(), key.value() + "#" + deleted), record.scope());
    }

    private Lease name(Lease lease) {
        return of(name(lease.record()), lease);
    }

    private static Lease of(RecordId record, Lease lease) {
        return new Lease(record, lease.owner(), lease.fence(), lease.attempt(), lease.duration(), lease.retention());
    }

    private void delete(RecordId record) {
        deletions.merge(record, 1, Integer::sum);
    }

    private void expire(RecordId record) {
        boolean lapsed = super.inspect(name(record))
                .filter(found -> found.state() == RecordState.PENDING)
                .filter(found -> !found.at().isAfter(clock.instant()))
                .isPresent();
        if (withTheLease && lapsed) {
            delete(record);
        }
    }

    @Override
    public Claim acquire(AcquireRequest request) {
        expire(request.record());
        Claim claim = super.acquire(new AcquireRequest(
                name(request.record()),
                request.owner(),
                request.lease(),
                request.retention(),
                request.fingerprint(),
                request.fenceFloor(),
                request.maxAttempts()));
        return claim instanceof Claim.Granted granted
                ? new Claim.Granted(of(request.record(), granted.lease()), granted.kind())
                : claim;
    }

    @Override
    public StoreAnswer renew(Lease lease) {
        expire(lease.record());
        return super.renew(name(lease));
    }

    @Override
    public StoreAnswer complete(Lease lease, StoredResult result) {
        expire(lease.record());
        return super.complete(name(lease), result);
    }

    @Override
    public StoreAnswer fail(Lease lease, Duration delay) {
        expire(lease.record());
        StoreAnswer answer = super.fail(name(lease), delay);
        if (whenCleared && answer instanceof StoreAnswer.Ok) {
            delete(lease.record());
        }
        return answer;
    }

    @Override
    public StoreAnswer reject(Lease lease, String reason) {
        expire(lease.record());
        return super.reject(name(lease), reason);
    }

    @Override
    public Optional<RecordSnapshot> inspect(RecordId record) {
        expire(record);
        return super.inspect(name(record));
    }
}
