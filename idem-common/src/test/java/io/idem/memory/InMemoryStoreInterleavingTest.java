package io.idem.memory;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Duration;
import java.time.Instant;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two owners of one record. */
@Tag("extended")
class InMemoryStoreInterleavingTest {

    @Test
    void transitionsHaveAnOrder() {
        assertThat(Interleavings.answers(Operations.class))
                .as("answers to the owner of the grant, and to others")
                .contains("FRESH " + Operations.FIRST_FENCE)
                .contains("complete Ok", "complete Lost")
                .contains("fail Ok", "fail Lost");
    }

    /** One record, on a clock that stands still, so that the first grant's fence is known: the smallest even one. */
    @Param(name = "owner", gen = IntGen.class, conf = "1:2")
    public static class Operations {

        private static final Duration LEASE = Duration.ofMinutes(1);
        private static final Duration RETENTION = Duration.ofHours(1);
        private static final RecordId RECORD = new RecordId(IdempotencyKey.of("k-1"), new Scope("payments"));
        private static final long FIRST_FENCE = 2;

        private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore(() -> Instant.EPOCH);

        /** Asks for the record; says what kind of answer it got. */
        @Operation
        public String acquire(@Param(name = "owner") int owner) {
            Claim claim =
                    store.acquire(new AcquireRequest(RECORD, token(owner), LEASE, RETENTION, Fingerprint.NONE, 0, 0));
            return claim instanceof Claim.Granted granted
                    ? granted.kind() + " " + granted.lease().fence()
                    : kind(claim);
        }

        /** Completes the first grant. */
        @Operation
        public String complete(@Param(name = "owner") int owner) {
            return "complete " + kind(store.complete(lease(owner), StoredResult.NONE));
        }

        /** Gives the first grant back. */
        @Operation
        public String fail(@Param(name = "owner") int owner) {
            return "fail " + kind(store.fail(lease(owner), Duration.ZERO));
        }

        private static String kind(Object answer) {
            return answer.getClass().getSimpleName();
        }

        private static Lease lease(int owner) {
            return new Lease(RECORD, token(owner), FIRST_FENCE, 1, LEASE, RETENTION);
        }

        private static OwnerToken token(int owner) {
            byte[] bytes = new byte[OwnerToken.SIZE];
            bytes[0] = (byte) owner;
            return OwnerToken.ofBytes(bytes);
        }
    }
}
