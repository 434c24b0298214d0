package io.idem;

import io.idem.spi.AcquireRequest;
import io.idem.spi.Claim;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.Lease;
import io.idem.spi.OwnerToken;
import io.idem.spi.RecordId;
import java.security.SecureRandom;
import java.time.Duration;

/** Leases that somebody holds whom a test does not care about. */
public final class Leases {

    private Leases() {}

    /** Takes a record that is free. */
    public static Lease take(IdempotencyStore store, RecordId record) {
        return take(store, record, Fingerprint.NONE);
    }

    static Lease take(IdempotencyStore store, RecordId record, Fingerprint payload) {
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
