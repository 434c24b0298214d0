package io.idem.cache;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.lincheck.Interleavings;
import io.idem.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import java.time.Instant;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Duplicates that are answered from memory while an operator reopens their record. */
@Tag("extended")
class NearCacheInterleavingTest {

    @Test
    void answersAreThoseOfAStoreWithoutCache() {
        Interleavings.check(Operations.class);
    }

    /** One record that is completed from the start, on clocks that stand still. */
    public static class Operations {

        private static final Duration LEASE = Duration.ofMinutes(1);
        private static final Duration RETENTION = Duration.ofHours(1);
        private static final RecordId RECORD = new RecordId(IdempotencyKey.of("k-1"), new Scope("payments"));
        private static final OwnerToken OWNER = OwnerToken.ofBytes(new byte[OwnerToken.SIZE]);
        private static final CacheSettings SETTINGS = CacheSettings.defaults();
        private static final Lease FIRST = new Lease(RECORD, OWNER, 1, 1, LEASE, RETENTION);

        private final CachingIdempotencyStore store =
                new CachingIdempotencyStore(new InMemoryIdempotencyStore(() -> Instant.EPOCH), SETTINGS, () -> 0);

        /** Completes the record before the others start. */
        public Operations() {
            acquire();
            complete();
        }

        /** What kind of answer a duplicate gets. */
        @Operation
        public String acquire() {
            Claim claim = store.acquire(new AcquireRequest(RECORD, OWNER, LEASE, RETENTION, Fingerprint.NONE, 0, 0));
            return claim instanceof Claim.Granted granted
                    ? granted.kind() + " " + granted.lease().fence()
                    : claim.getClass().getSimpleName();
        }

        /** Completes the first grant. */
        @Operation
        public String complete() {
            return store.complete(FIRST, StoredResult.NONE).getClass().getSimpleName();
        }

        /** An operator frees the record if it is the first grant's. */
        @Operation
        public String reopen() {
            return store.reopen(RECORD, 1, RETENTION).getClass().getSimpleName();
        }
    }
}
