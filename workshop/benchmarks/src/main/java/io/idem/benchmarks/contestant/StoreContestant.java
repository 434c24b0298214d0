package io.idem.benchmarks.contestant;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import java.security.SecureRandom;
import java.time.Duration;

/** The two store calls without the engine around them: no lease watch, no events. */
final class StoreContestant implements Contestant {

    private static final Scope SCOPE = new Scope("bench.store");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration RETENTION = Duration.ofHours(24);

    private final IdempotencyStore store;
    private final OwnerToken owner = OwnerToken.random(new SecureRandom());

    StoreContestant(IdempotencyStore store) {
        this.store = store;
    }

    @Override
    public Object fresh(String key) {
        Claim claim = acquire(key);
        return store.complete(((Claim.Granted) claim).lease(), StoredResult.NONE);
    }

    @Override
    public Object duplicate(String key) {
        Claim claim = acquire(key);
        return claim instanceof Claim.Granted granted ? store.complete(granted.lease(), StoredResult.NONE) : claim;
    }

    private Claim acquire(String key) {
        RecordId record = new RecordId(IdempotencyKey.of(key), SCOPE);
        return store.acquire(new AcquireRequest(record, owner, LEASE, RETENTION, Fingerprint.NONE, 0, 0));
    }

    @Override
    public void close() {
        store.close();
    }
}
