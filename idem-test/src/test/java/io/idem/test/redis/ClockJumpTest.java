package io.idem.test.redis;

import static io.idem.test.redis.Acquires.LEASE;
import static io.idem.test.redis.Acquires.bytes;
import static io.idem.test.redis.Acquires.granted;
import static io.idem.test.redis.Acquires.keyOf;
import static io.idem.test.redis.Acquires.lease;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.SetArgs;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Redis's wall clock jumps. The embedded server is linked statically, so that its clock cannot be replaced; the records are moved
 * against it instead, which is the same to a script that compares the two.
 */
@Tag("servers")
class ClockJumpTest {

    private static final Duration JUMP = Duration.ofMinutes(4);
    private static final int FENCE_WITH_STATE_BYTE = 2;
    private static final int AT = 8;

    private final RedisStoreHarness harness = new RedisStoreHarness();
    private final IdempotencyStore store = harness.store();
    private final RecordId record = someRecord();

    @AfterEach
    void stop() {
        harness.stop();
    }

    @Test
    void aJumpAheadEndsTheLeaseAndItsOwnerSettlesNothing() {
        Lease former = lease(store, record);

        harness.advance(LEASE);

        Claim.Granted next = granted(store.acquire(request(record)));
        assertThat(next.kind()).isEqualTo(Claim.GrantKind.TAKEOVER);
        assertThat(store.complete(former, StoredResult.NONE)).isInstanceOf(StoreAnswer.Lost.class);
        assertThat(store.inspect(record).orElseThrow().state()).isEqualTo(RecordState.PENDING);
    }

    @Test
    void aJumpBackMakesTheLeaseLastLongerAndFencesGoOnGrowing() {
        Lease beforeTheJump = lease(store, record);
        long fence = writtenByAClockThatWasAhead();

        Claim busy = store.acquire(request(record));
        assertThat(busy).isInstanceOf(Claim.InProgress.class);
        assertThat(((Claim.InProgress) busy).remaining()).isGreaterThan(LEASE);

        harness.advance(LEASE.plus(JUMP));
        assertThat(granted(store.acquire(request(record))).lease().fence())
                .isGreaterThan(fence)
                .isGreaterThan(beforeTheJump.fence());
    }

    /** Adds the jump to the fence, in microseconds, and to the lease's end, in milliseconds; answers the fence. */
    private long writtenByAClockThatWasAhead() {
        byte[] key = bytes(keyOf(record));
        ByteBuffer stored = ByteBuffer.wrap(harness.redis().get(key));
        stored.putLong(FENCE_WITH_STATE_BYTE, stored.getLong(FENCE_WITH_STATE_BYTE) + JUMP.toNanos() / 1000);
        stored.putLong(AT, stored.getLong(AT) + JUMP.toMillis());
        harness.redis().set(key, stored.array(), SetArgs.Builder.keepttl());
        return store.inspect(record).orElseThrow().fence();
    }
}
