package io.idem.test.fuzz;

import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RunningRedis;
import io.idem.spi.IdempotencyStore;
import io.idem.test.redis.RedisStoreHarness;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scripts against the reference, by random operations of several owners on few records.
 *
 * <p>{@code -Didem.fuzz.operations=…} sets how many, {@code -Didem.fuzz.seed=…} repeats a run. More than a few are split into
 * runs with seeds of their own, counted up from that one, so that memory stays bounded; {@code -Didem.fuzz.lanes=…} of them
 * go on at once, each with a Redis of its own.
 */
@Tag("servers")
class StoreFuzzTest {

    private static final Logger LOG = LoggerFactory.getLogger(StoreFuzzTest.class);
    /** Long: what a busy machine answers late is no violation. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int RUN = 20_000;
    private static final long USUAL = Long.getLong("idem.fuzz.operations", 10_000);
    private static final long MANY = Long.getLong("idem.fuzz.operations", 200_000);

    private final long seed = Long.getLong("idem.fuzz.seed", System.nanoTime());
    private final List<RedisStoreHarness> redises = new ArrayList<>();
    private final AtomicLong grants = new AtomicLong();

    @AfterEach
    void stop() {
        redises.forEach(RedisStoreHarness::stop);
    }

    @Test
    void scriptsAndReferenceAgreeAndKeepTheInvariants() throws Exception {
        fuzz(USUAL, Integer.getInteger("idem.fuzz.lanes", 1));
    }

    @Test
    @Tag("extended")
    void theyAgreeForLong() throws Exception {
        fuzz(MANY, Integer.getInteger("idem.fuzz.lanes", 2));
    }

    private void fuzz(long operations, int lanes) throws Exception {
        LOG.info("Script fuzz: {} operations, {} lanes, seed {}", operations, lanes, seed);
        long start = System.nanoTime();
        AtomicLong nextRun = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(lanes);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int lane = 0; lane < lanes; lane++) {
                RedisStoreHarness redis = new RedisStoreHarness(StoreFuzzTest::patientStore);
                redises.add(redis);
                running.add(threads.submit(() -> runs(redis, nextRun, operations)));
            }
            for (Future<?> lane : running) {
                lane.get();
            }
        } finally {
            threads.shutdownNow();
        }
        long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
        LOG.info("Script fuzz: {} operations, {} grants, no violation, {} s", operations, grants, seconds);
    }

    private static IdempotencyStore patientStore(RunningRedis server) {
        return new RedisIdempotencyStore(
                RedisSettings.of(RedisURI.create(server.uri())).withCommandTimeout(PATIENCE));
    }

    private void runs(RedisStoreHarness redis, AtomicLong nextRun, long operations) {
        for (long run = nextRun.getAndIncrement(); run * RUN < operations; run = nextRun.getAndIncrement()) {
            int length = (int) Math.min(RUN, operations - run * RUN);
            grants.addAndGet(new FuzzRun(seed + run, redis).run(length));
            redis.close();
        }
    }
}
