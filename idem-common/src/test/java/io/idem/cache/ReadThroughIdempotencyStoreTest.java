package io.idem.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.SettledRecordCache;
import io.idem.spi.SettledRecords;
import io.idem.spi.StoreDecorator;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cache that takes no copies delays nobody, and an erasure leaves no copy. */
class ReadThroughIdempotencyStoreTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final StuckCache cache = new StuckCache();
    private final Truth truth = new Truth();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final ExecutorService caller = Executors.newSingleThreadExecutor();

    @AfterEach
    void release() {
        cache.released.countDown();
        thread.shutdownNow();
        caller.shutdownNow();
    }

    @Test
    void aNewKeyIsAnsweredWhileACopyIsOnItsWay() {
        ReadThroughIdempotencyStore store = new ReadThroughIdempotencyStore(truth, cache, HOUR, thread);
        completed("settled");
        assertThat(acquire(store, "settled")).succeedsWithin(PATIENCE).isInstanceOf(Claim.Replay.class);
        assertThat(cache.offered).succeedsWithin(PATIENCE);

        assertThat(acquire(store, "settled")).succeedsWithin(PATIENCE).isInstanceOf(Claim.Replay.class);
        assertThat(acquire(store, "new")).succeedsWithin(PATIENCE).isInstanceOf(Claim.Granted.class);

        assertThat(cache.released.getCount()).isOne();
    }

    @Test
    void aDuplicateDoesNotWaitForItsOwnCopy() {
        ReadThroughIdempotencyStore store = new ReadThroughIdempotencyStore(truth, cache, HOUR);
        completed("settled");

        assertThat(CompletableFuture.supplyAsync(() -> store.acquire(request("settled")), caller))
                .succeedsWithin(PATIENCE)
                .isInstanceOf(Claim.Replay.class);

        assertThat(cache.offered).succeedsWithin(PATIENCE);
        assertThat(cache.released.getCount()).isOne();
    }

    @Test
    void aCopyMadeJustBeforeAnErasureIsWithdrawn() {
        ReadThroughIdempotencyStore store = new ReadThroughIdempotencyStore(truth, cache, HOUR);
        truth.beforeErasure = () -> completed("settled");

        assertThat(store.erase(record("settled"))).isInstanceOf(StoreAnswer.Ok.class);

        assertThat(cache.withdrawn).containsExactly(record("settled"));
    }

    @Test
    void anErasureWhoseCopyStaysSaysThatTheResultIsErased() {
        ReadThroughIdempotencyStore store = new ReadThroughIdempotencyStore(truth, cache, HOUR);
        completed("settled");
        cache.away = new StoreUnavailableException("No cache", Execution.NOT_EXECUTED, new IllegalStateException());

        assertThatThrownBy(() -> store.erase(record("settled")))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        failure -> assertThat(failure.execution()).isEqualTo(Execution.UNKNOWN))
                .hasMessageContaining("is erased")
                .hasMessageContaining("repeat the erasure");
    }

    private void completed(String key) {
        Claim.Granted granted = (Claim.Granted) truth.acquire(request(key));
        truth.complete(granted.lease(), StoredResult.NONE);
    }

    private static CompletableFuture<Claim> acquire(ReadThroughIdempotencyStore store, String key) {
        return store.acquire(List.of(request(key))).get(0).toCompletableFuture();
    }

    private static AcquireRequest request(String key) {
        return new AcquireRequest(
                record(key), OwnerToken.random(new SecureRandom()), HOUR, HOUR, Fingerprint.NONE, 0, 0);
    }

    private static RecordId record(String key) {
        return new RecordId(IdempotencyKey.of(key), new Scope("payments"));
    }

    /** A store of records in memory, as the truth behind the cache. */
    private static final class Truth extends StoreDecorator implements SettledRecords {

        private Runnable beforeErasure = () -> {};

        Truth() {
            super(new InMemoryIdempotencyStore());
        }

        @Override
        public Optional<Settled> settled(RecordId record) {
            return inspect(record).map(snapshot -> new Settled(snapshot, HOUR));
        }

        @Override
        public StoreAnswer erase(RecordId record) {
            beforeErasure.run();
            return super.erase(record);
        }
    }

    /** A cache that does not answer an offer until it is released. */
    private static final class StuckCache implements SettledRecordCache {

        private final CompletableFuture<Boolean> offered = new CompletableFuture<>();
        private final List<RecordId> withdrawn = new CopyOnWriteArrayList<>();
        private final CountDownLatch released = new CountDownLatch(1);
        private @Nullable StoreUnavailableException away;

        @Override
        public Optional<RecordSnapshot> find(RecordId record) {
            return Optional.empty();
        }

        @Override
        public void offer(RecordId record, RecordSnapshot settled, Duration atMost) {
            offered.complete(true);
            try {
                released.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void withdraw(RecordId record, long fence, Duration remembered) {
            if (away != null) {
                throw away;
            }
            withdrawn.add(record);
        }

        @Override
        public void close() {}
    }
}
