package io.idem.engine;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.spi.IdempotencyStore;
import java.security.SecureRandom;
import java.time.Duration;

/** Leases that somebody holds whom a test does not care about. */
public final class Leases {

    private Leases() {}

    /** Takes a record that is free. */
    public static Lease take(IdempotencyStore store, RecordId record) {
        return take(store, record, Fingerprint.NONE);
    }

    public static Lease take(IdempotencyStore store, RecordId record, Fingerprint payload) {
        Claim claim = store.acquire(new AcquireRequest(
                record,
                OwnerToken.random(new SecureRandom()),
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                payload,
                0,
                0));
        return ((Claim.Granted) claim).lease();
    }
}
