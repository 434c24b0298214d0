package io.idem.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.MonotonicClock;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CachingIdempotencyStoreTest {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration RETENTION = Duration.ofHours(1);
    private static final StoredResult RECEIPT = StoredResult.of("text", "receipt".getBytes(StandardCharsets.UTF_8));
    private static final Fingerprint HUNDRED = Fingerprint.of(new byte[] {100});
    private static final Fingerprint THOUSAND = Fingerprint.of(new byte[] {1});

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final MonotonicClock ticks =
            () -> Duration.between(Instant.EPOCH, now.get()).toNanos();
    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(now::get);
    private final Counting counting = new Counting(memory);
    private final CachingIdempotencyStore store =
            new CachingIdempotencyStore(counting, new CacheSettings(1 << 20, TTL), ticks);
    private final RecordId record = new RecordId(IdempotencyKey.of("k"), new Scope("payments"));

    /** Counts acquires, and does something else after the next one. */
    private static final class Counting extends PerRequestStore {

        private int acquires;
        private Runnable afterAcquire = () -> {};
        private boolean silentOnReopen;

        Counting(IdempotencyStore store) {
            super(store);
        }

        @Override
        public Claim acquire(AcquireRequest request) {
            acquires++;
            Claim claim = super.acquire(request);
            Runnable after = afterAcquire;
            afterAcquire = () -> {};
            after.run();
            return claim;
        }

        @Override
        public StoreAnswer reopen(RecordId of, long expectedFence, Duration retention) {
            StoreAnswer settlement = super.reopen(of, expectedFence, retention);
            if (silentOnReopen) {
                throw new StoreUnavailableException("timeout", Execution.UNKNOWN, new IllegalStateException());
            }
            return settlement;
        }
    }

    private AcquireRequest request(Fingerprint fingerprint) {
        return new AcquireRequest(
                record, OwnerToken.random(new SecureRandom()), Duration.ofSeconds(30), RETENTION, fingerprint, 0, 0);
    }

    private Claim acquire() {
        return store.acquire(request(Fingerprint.NONE));
    }

    private Lease granted(Fingerprint fingerprint) {
        return ((Claim.Granted) store.acquire(request(fingerprint))).lease();
    }

    /** Another process's write, past the cache. */
    private Lease completedElsewhere() {
        Lease lease = ((Claim.Granted) memory.acquire(request(HUNDRED))).lease();
        memory.complete(lease, RECEIPT);
        return lease;
    }

    private void advance(Duration by) {
        now.updateAndGet(before -> before.plus(by));
    }

    @Test
    void aReplayIsReadOnceAndThenAnsweredFromMemory() {
        completedElsewhere();

        Claim first = acquire();
        assertThat(acquire()).isEqualTo(first).isInstanceOf(Claim.Replay.class);

        assertThat(counting.acquires).isEqualTo(1);
    }

    @Test
    void aRejectionIsReadEachTimeForAnotherProcessMayOpenItAtAnyMoment() {
        Lease lease = granted(Fingerprint.NONE);
        store.reject(lease, "no such account");

        assertThat(acquire()).isEqualTo(new Claim.Rejected("no such account", lease.fence()));
        memory.reopen(lease.record(), lease.fence(), lease.retention());

        assertThat(acquire()).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void whatThisProcessCompletedIsKnownWithoutReading() {
        Lease lease = granted(Fingerprint.NONE);
        store.complete(lease, RECEIPT);

        assertThat(acquire()).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
        assertThat(counting.acquires).isEqualTo(1);
    }

    @Test
    void unsettledRecordsAreAlwaysAskedFor() {
        Lease lease = granted(Fingerprint.NONE);
        acquire();
        assertThat(acquire()).isInstanceOf(Claim.InProgress.class);
        store.fail(lease, Duration.ofSeconds(5));
        acquire();
        assertThat(acquire()).isInstanceOf(Claim.NotYet.class);

        assertThat(counting.acquires).isEqualTo(5);
    }

    @Test
    void exhaustedRecordsAreAlwaysAskedFor() {
        store.fail(granted(Fingerprint.NONE), Duration.ZERO);
        AcquireRequest limited = new AcquireRequest(
                record, request(HUNDRED).owner(), Duration.ofSeconds(30), RETENTION, Fingerprint.NONE, 0, 1);
        store.acquire(limited);
        assertThat(store.acquire(limited)).isInstanceOf(Claim.Exhausted.class);

        assertThat(counting.acquires).isEqualTo(3);
    }

    @Test
    void anotherPayloadIsNeverAnsweredFromMemory() {
        completedElsewhere();
        store.acquire(request(HUNDRED));

        assertThat(store.acquire(request(THOUSAND))).isEqualTo(new Claim.Mismatch());
        assertThat(store.acquire(request(HUNDRED))).isInstanceOf(Claim.Replay.class);
        assertThat(acquire()).isInstanceOf(Claim.Replay.class);

        assertThat(counting.acquires).isEqualTo(2);
    }

    @Test
    void aFingerprintThatWasNotCheckedYetIsAskedFor() {
        completedElsewhere();
        acquire();

        assertThat(store.acquire(request(THOUSAND))).isEqualTo(new Claim.Mismatch());
        assertThat(store.acquire(request(HUNDRED))).isInstanceOf(Claim.Replay.class);
        assertThat(store.acquire(request(HUNDRED))).isInstanceOf(Claim.Replay.class);

        assertThat(counting.acquires).isEqualTo(3);
    }

    @Test
    void anotherProcesssReopenIsNoticedWhenTheTimeIsUp() {
        Lease lease = completedElsewhere();
        acquire();
        memory.reopen(record, lease.fence(), RETENTION);

        advance(TTL.minusMillis(1));
        assertThat(acquire()).isInstanceOf(Claim.Replay.class);
        advance(Duration.ofMillis(1));
        assertThat(acquire()).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void anAnswerDoesNotStartAnotherTerm() {
        Lease lease = completedElsewhere();
        acquire();
        memory.reopen(record, lease.fence(), RETENTION);
        for (int i = 0; i < 5; i++) {
            advance(TTL.dividedBy(5));
            acquire();
        }

        assertThat(acquire()).isInstanceOf(Claim.InProgress.class);
    }

    @Test
    void timeSpentReadingCounts() {
        Lease lease = completedElsewhere();
        counting.afterAcquire = () -> {
            advance(TTL);
            memory.reopen(record, lease.fence(), RETENTION);
        };

        assertThat(acquire()).isInstanceOf(Claim.Replay.class);
        assertThat(acquire()).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void ownEntriesEndWithTheirRetention() {
        CachingIdempotencyStore longLived =
                new CachingIdempotencyStore(memory, new CacheSettings(1 << 20, RETENTION.multipliedBy(10)), ticks);
        longLived.complete(((Claim.Granted) longLived.acquire(request(Fingerprint.NONE))).lease(), RECEIPT);
        advance(RETENTION);

        assertThat(longLived.acquire(request(Fingerprint.NONE))).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aReopenThroughTheCacheIsNoticedAtOnce() {
        Lease lease = completedElsewhere();
        acquire();
        store.reopen(record, lease.fence(), RETENTION);

        assertThat(acquire()).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aReopenWhoseAnswerIsLostIsTakenForDone() {
        Lease lease = completedElsewhere();
        acquire();
        counting.silentOnReopen = true;

        assertThatThrownBy(() -> store.reopen(record, lease.fence(), RETENTION))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(acquire()).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void anErasureThroughTheCacheIsNoticedAtOnce() {
        Lease lease = completedElsewhere();
        acquire();
        store.erase(record);

        assertThat(acquire()).isEqualTo(new Claim.Replay(StoredResult.OMITTED, lease.fence()));
    }

    @Test
    void anAnswerReadBeforeAnErasureIsNotKeptAfterIt() {
        completedElsewhere();
        counting.afterAcquire = () -> store.erase(record);
        acquire();

        assertThat(((Claim.Replay) acquire()).result()).isEqualTo(StoredResult.OMITTED);
    }

    @Test
    void anAnswerReadBeforeAReopenIsNotKeptAfterIt() {
        Lease lease = completedElsewhere();
        counting.afterAcquire = () -> store.reopen(record, lease.fence(), RETENTION);

        assertThat(acquire()).isInstanceOf(Claim.Replay.class);
        assertThat(acquire()).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void resultsBeyondTheWeightAreNotKept() {
        CachingIdempotencyStore small = new CachingIdempotencyStore(counting, new CacheSettings(1000, TTL), ticks);
        Lease lease = ((Claim.Granted) small.acquire(request(Fingerprint.NONE))).lease();
        small.complete(lease, StoredResult.of("bytes", new byte[2000]));

        small.acquire(request(Fingerprint.NONE));

        assertThat(counting.acquires).isEqualTo(2);
    }

    @Test
    void aBatchAsksOnlyForWhatIsNotKnown() throws Exception {
        completedElsewhere();
        acquire();
        RecordId other = new RecordId(IdempotencyKey.of("other"), new Scope("payments"));
        AcquireRequest unknown = new AcquireRequest(
                other, request(HUNDRED).owner(), Duration.ofSeconds(30), RETENTION, Fingerprint.NONE, 0, 0);

        List<CompletionStage<Claim>> claims =
                store.acquire(List.of(request(Fingerprint.NONE), unknown, request(HUNDRED)));

        assertThat(claims.get(0).toCompletableFuture().get()).isInstanceOf(Claim.Replay.class);
        Lease lease = ((Claim.Granted) claims.get(1).toCompletableFuture().get()).lease();
        assertThat(claims.get(2).toCompletableFuture().get()).isInstanceOf(Claim.Replay.class);
        assertThat(counting.acquires).isEqualTo(3);
        store.update(List.of(new RecordUpdate.Complete(lease, RECEIPT)))
                .get(0)
                .toCompletableFuture()
                .get();
        assertThat(store.acquire(List.of(unknown)).get(0).toCompletableFuture().get())
                .isInstanceOf(Claim.Replay.class);
        assertThat(counting.acquires).isEqualTo(3);
    }

    @Test
    void aBatchPassesFailuresOnAsTheyAre() {
        StoreUnavailableException silent =
                new StoreUnavailableException("away", Execution.UNKNOWN, new IllegalStateException());
        counting.afterAcquire = () -> {
            throw silent;
        };
        AtomicReference<Throwable> failure = new AtomicReference<>();

        store.acquire(List.of(request(HUNDRED))).get(0).whenComplete((claim, why) -> failure.set(why));

        assertThat(failure.get()).isSameAs(silent).isNotInstanceOf(CompletionException.class);
    }

    @Test
    void anAnswerThatCannotBeTakenInIsAFailureAndNotAnEndlessWait() {
        AtomicBoolean broken = new AtomicBoolean();
        CompletableFuture<Claim> answer = new CompletableFuture<>();
        CachingIdempotencyStore cached = new CachingIdempotencyStore(
                new PerRequestStore(memory) {
                    @Override
                    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
                        return List.of(answer);
                    }
                },
                new CacheSettings(1 << 20, TTL),
                () -> {
                    if (broken.get()) {
                        throw new IllegalStateException("no clock");
                    }
                    return 1;
                });
        CompletionStage<Claim> claim = cached.acquire(List.of(request(HUNDRED))).get(0);

        broken.set(true);
        answer.complete(new Claim.Replay(RECEIPT, 1));

        assertThat(claim)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withMessageContaining("no clock");
    }
}
