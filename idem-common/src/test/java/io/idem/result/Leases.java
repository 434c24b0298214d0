package io.idem.result;

import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;

/** Grants without a store. */
public final class Leases {

    public static final Duration RETENTION = Duration.ofHours(24);

    private Leases() {}

    public static Lease of(RecordId record, long fence) {
        return new Lease(record, OwnerToken.random(new SecureRandom()), fence, 1, Duration.ofSeconds(30), RETENTION);
    }

    public static RecordId record(String tenant, String key, String scope) {
        return new RecordId(new IdempotencyKey(tenant, key), new Scope(scope));
    }

    public static StoredResult text(String content) {
        return StoredResult.of("text", content.getBytes(StandardCharsets.UTF_8));
    }
}
