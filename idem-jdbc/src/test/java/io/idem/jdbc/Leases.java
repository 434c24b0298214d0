package io.idem.jdbc;

import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.spi.Lease;
import io.idem.spi.OwnerToken;
import io.idem.spi.RecordId;
import java.security.SecureRandom;
import java.time.Duration;

/** Leases as a store would grant them. */
final class Leases {

    private Leases() {}

    static Lease lease(String key, long fence) {
        return lease(key, fence, Duration.ofSeconds(30));
    }

    static Lease lease(String key, long fence, Duration duration) {
        return new Lease(
                new RecordId(IdempotencyKey.of(key), new Scope("payments")),
                OwnerToken.random(new SecureRandom()),
                fence,
                1,
                duration,
                Duration.ofHours(1));
    }
}
