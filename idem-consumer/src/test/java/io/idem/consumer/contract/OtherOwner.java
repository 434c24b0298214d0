package io.idem.consumer.contract;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.spi.IdempotencyStore;
import java.security.SecureRandom;
import java.time.Duration;

/** Another owner, under a lease of five minutes that only a move of the clock ends. */
public final class OtherOwner {

    private static final Duration LEASE = Duration.ofMinutes(5);

    private OtherOwner() {}

    /** Takes a record that is free. */
    public static Lease take(IdempotencyStore store, RecordId record) {
        return ((Claim.Granted) acquire(store, record)).lease();
    }

    /** Takes a record from an owner at work, whose heartbeat may renew the lapsed lease first: then it lapses again. */
    public static Lease takeOver(IdempotencyStore store, MovableClock clock, RecordId record) {
        while (true) {
            clock.moveAhead(Duration.ofMinutes(1));
            if (acquire(store, record) instanceof Claim.Granted granted) {
                return granted.lease();
            }
        }
    }

    private static Claim acquire(IdempotencyStore store, RecordId record) {
        return store.acquire(new AcquireRequest(
                record,
                OwnerToken.random(new SecureRandom()),
                LEASE,
                ExecutionPolicy.DEFAULT_RETENTION,
                Fingerprint.NONE,
                0,
                0));
    }
}
