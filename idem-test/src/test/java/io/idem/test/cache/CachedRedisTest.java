package io.idem.test.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.cache.CacheSettings;
import io.idem.cache.CachingIdempotencyStore;
import io.idem.test.redis.RedisStoreHarness;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a near cache saves a real Redis, and that it never gives what a reopen took back. */
@Tag("servers")
class CachedRedisTest {

    private static final Duration RETENTION = Duration.ofHours(24);
    private static final int ROUNDS = 200;
    private static final int READERS = 4;

    private static RedisStoreHarness redis;

    private CachingIdempotencyStore store;

    @BeforeAll
    static void start() {
        redis = new RedisStoreHarness();
    }

    @AfterAll
    static void stop() {
        redis.stop();
    }

    @BeforeEach
    void putCacheInFront() {
        store = new CachingIdempotencyStore(redis.store(), new CacheSettings(1 << 20, Duration.ofHours(1)));
    }

    private static RecordId newRecord() {
        return new RecordId(IdempotencyKey.of(UUID.randomUUID().toString()), new Scope("payments"));
    }

    private Claim acquire(RecordId record) {
        return store.acquire(new AcquireRequest(
                record,
                OwnerToken.random(new SecureRandom()),
                Duration.ofMinutes(10),
                RETENTION,
                Fingerprint.NONE,
                0,
                0));
    }

    private Lease complete(RecordId record) {
        Lease lease = ((Claim.Granted) acquire(record)).lease();
        store.complete(lease, StoredResult.NONE);
        return lease;
    }

    @Test
    void anAnswerFromMemoryCostsRedisNoCommand() {
        RecordId record = newRecord();
        complete(record);
        redis.redis().configResetstat();

        for (int i = 0; i < 1000; i++) {
            assertThat(acquire(record)).isInstanceOf(Claim.Replay.class);
        }

        assertThat(redis.redis().info("commandstats")).doesNotContain("evalsha", "cmdstat_get", "cmdstat_set");
        acquire(newRecord());
        assertThat(redis.redis().info("commandstats")).contains("evalsha");
    }

    @Test
    void readersThatRaceWithAReopenNeverKeepTheOldAnswer() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(READERS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                RecordId record = newRecord();
                Lease lease = complete(record);
                raceReopen(threads, record, lease);
                assertThat(acquire(record)).as("round %d", round).isNotInstanceOf(Claim.Replay.class);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Readers go on while the record is reopened, each through a cache that does not know it yet as often as through one that does. */
    private void raceReopen(ExecutorService threads, RecordId record, Lease lease) throws Exception {
        CountDownLatch started = new CountDownLatch(READERS);
        AtomicBoolean stop = new AtomicBoolean();
        store.reopen(record, lease.fence() + 1, RETENTION);
        List<Future<?>> readers = IntStream.range(0, READERS)
                .<Future<?>>mapToObj(i -> threads.submit(() -> read(record, started, stop)))
                .toList();
        started.await();
        assertThat(store.reopen(record, lease.fence(), RETENTION)).isInstanceOf(StoreAnswer.Ok.class);
        stop.set(true);
        for (Future<?> reader : readers) {
            reader.get();
        }
    }

    private void read(RecordId record, CountDownLatch started, AtomicBoolean stop) {
        started.countDown();
        do {
            acquire(record);
        } while (!stop.get());
    }
}
