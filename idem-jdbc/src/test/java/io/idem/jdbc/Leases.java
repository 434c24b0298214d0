package io.idem.jdbc;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox.Request;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import java.security.SecureRandom;
import java.time.Duration;

/** Leases as a store would grant them. */
public final class Leases {

    private Leases() {}

    public static Request request(String key, long fence) {
        return request(lease(key, fence));
    }

    public static Request request(String key, long fence, Duration duration) {
        return request(lease(key, fence, duration));
    }

    /** Returns the request of an attempt whose payload is not known. */
    public static Request request(Lease lease) {
        return new Request(lease, Fingerprint.NONE);
    }

    public static Lease lease(String key, long fence) {
        return lease(key, fence, Duration.ofSeconds(30));
    }

    public static Lease lease(String key, long fence, Duration duration) {
        return new Lease(
                new RecordId(IdempotencyKey.of(key), new Scope("payments")),
                OwnerToken.random(new SecureRandom()),
                fence,
                1,
                duration,
                Duration.ofHours(1));
    }
}
