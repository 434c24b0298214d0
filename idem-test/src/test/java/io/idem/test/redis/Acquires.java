package io.idem.test.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.spi.IdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.UUID;

/** Requests of fresh owners, and the bytes of keys. */
final class Acquires {

    static final Duration LEASE = Duration.ofMinutes(10);

    private static final SecureRandom RANDOM = new SecureRandom();

    private Acquires() {}

    static RecordId someRecord() {
        return new RecordId(IdempotencyKey.of(UUID.randomUUID().toString()), new Scope("payments"));
    }

    static AcquireRequest request(RecordId record) {
        return request(record, Fingerprint.NONE);
    }

    static AcquireRequest request(RecordId record, Fingerprint fingerprint) {
        return new AcquireRequest(record, OwnerToken.random(RANDOM), LEASE, Duration.ofHours(24), fingerprint, 0, 0);
    }

    static Lease lease(IdempotencyStore store, RecordId record) {
        return granted(store.acquire(request(record))).lease();
    }

    static Claim.Granted granted(Claim claim) {
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return (Claim.Granted) claim;
    }

    static String keyOf(RecordId record) {
        return "idem:{" + record.key().id() + "}:" + record.scope();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
