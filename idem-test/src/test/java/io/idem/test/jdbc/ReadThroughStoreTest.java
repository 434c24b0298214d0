package io.idem.test.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis in front may be flushed, stale or away: slower, never wrong. */
@Tag("servers")
class ReadThroughStoreTest {

    private static final Duration RETENTION = Duration.ofHours(24);
    private static final StoredResult RECEIPT = StoredResult.of("text", new byte[] {1});
    private static final StoredResult SECOND = StoredResult.of("text", new byte[] {2});
    private static final Fingerprint HUNDRED = Fingerprint.of("100".getBytes(StandardCharsets.UTF_8));
    private static final Fingerprint THOUSAND = Fingerprint.of("1000".getBytes(StandardCharsets.UTF_8));

    private final ReadThroughStoreHarness harness = new ReadThroughStoreHarness();
    private final IdempotencyStore store = harness.store();
    private final RecordId record = new RecordId(IdempotencyKey.of("k"), new Scope("payments"));

    @AfterEach
    void stop() {
        harness.stop();
    }

    private AcquireRequest request(Fingerprint fingerprint) {
        return new AcquireRequest(
                record, OwnerToken.random(new SecureRandom()), Duration.ofMinutes(10), RETENTION, fingerprint, 0, 0);
    }

    private Claim acquire() {
        return store.acquire(request(Fingerprint.NONE));
    }

    private Lease granted() {
        Claim claim = store.acquire(request(HUNDRED));
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return ((Claim.Granted) claim).lease();
    }

    private Lease completed() {
        Lease lease = granted();
        store.complete(lease, RECEIPT);
        return lease;
    }

    private void postgresIsAway() {
        harness.postgres().jdbc().execute("ALTER TABLE idem_record RENAME TO away");
    }

    private void postgresIsBack() {
        harness.postgres().jdbc().execute("ALTER TABLE away RENAME TO idem_record");
    }

    @Test
    void theSecondDuplicateIsAnsweredWithoutPostgres() {
        Lease lease = completed();
        Claim first = acquire();
        postgresIsAway();

        assertThat(acquire()).isEqualTo(first).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
        assertThat(store.acquire(request(THOUSAND))).isEqualTo(new Claim.Mismatch());
        postgresIsBack();
    }

    @Test
    void soIsADuplicateOfRejectedWork() {
        Lease lease = granted();
        store.reject(lease, "no such account");
        acquire();
        postgresIsAway();

        assertThat(acquire()).isEqualTo(new Claim.Rejected("no such account", lease.fence()));
        postgresIsBack();
    }

    @Test
    void whatIsNotSettledNeverReachesRedis() {
        Lease lease = granted();
        acquire();
        store.fail(lease, Duration.ofHours(1));
        acquire();

        assertThat(harness.redis().redis().dbsize()).isZero();
    }

    @Test
    void aFlushedRedisForgetsNothingThatMatters() {
        Lease lease = completed();
        acquire();
        harness.redis().redis().flushall();

        assertThat(acquire()).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
        assertThat(harness.front().find(record)).isPresent();
    }

    @Test
    void aRedisThatIsAwayMakesItSlowerOnly() {
        Lease lease = completed();
        acquire();
        harness.redis().server().kill();

        assertThat(acquire()).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
        assertThat(acquire()).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
        assertThat(store.inspect(record).orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aReopenedRecordIsNotAnsweredFromItsCopy() {
        Lease lease = completed();
        acquire();

        assertThat(store.reopen(record, lease.fence(), RETENTION)).isInstanceOf(StoreAnswer.Ok.class);

        Lease again = granted();
        assertThat(again.fence()).isGreaterThan(lease.fence());
        store.complete(again, SECOND);
        assertThat(acquire()).isEqualTo(new Claim.Replay(SECOND, again.fence()));
        postgresIsAway();
        assertThat(acquire()).as("copy of the second grant").isEqualTo(new Claim.Replay(SECOND, again.fence()));
        postgresIsBack();
    }

    @Test
    void aCopyThatASlowReaderOffersAfterTheReopeningDoesNotCount() {
        Lease lease = completed();
        RecordSnapshot readBefore = store.inspect(record).orElseThrow();
        store.reopen(record, lease.fence(), RETENTION);

        harness.front().offer(record, readBefore, ReadThroughStoreHarness.COPY_LIFE);

        assertThat(granted().fence()).isGreaterThan(lease.fence());
    }

    @Test
    void whereRedisCannotBeToldAReopeningIsRefusedAndMayBeRepeated() {
        Lease lease = completed();
        acquire();
        harness.redis().server().kill();

        assertThatThrownBy(() -> store.reopen(record, lease.fence(), RETENTION))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(store.inspect(record).orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void anErasedResultIsGoneFromRedisToo() {
        Lease lease = completed();
        acquire();

        store.erase(record);

        assertThat(harness.front().find(record)).isEmpty();
        assertThat(acquire()).isEqualTo(new Claim.Replay(StoredResult.OMITTED, lease.fence()));
    }

    @Test
    void aCopyIsGoneBeforeTheRetentionEnds() {
        completed();
        harness.advance(RETENTION.minusSeconds(4));

        acquire();

        assertThat(harness.front().find(record)).as("too late for a copy").isEmpty();
        harness.advance(Duration.ofSeconds(4));
        assertThat(acquire()).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void somethingElseUnderTheNameOfACopyIsPassedOver() {
        Lease lease = completed();
        String copy = "idem:front:{" + record.key().id() + "}:payments";
        harness.redis()
                .redis()
                .set(copy.getBytes(StandardCharsets.US_ASCII), "processing".getBytes(StandardCharsets.US_ASCII));

        assertThat(acquire()).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
    }
}
