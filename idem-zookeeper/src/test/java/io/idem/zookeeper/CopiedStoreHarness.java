package io.idem.zookeeper;

import static org.awaitility.Awaitility.await;

import io.idem.RecordId;
import io.idem.cache.ReadThroughIdempotencyStore;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisSettledRecordCache;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.spi.IdempotencyStore;
import io.idem.test.contract.StoreHarness;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;

/** ZooKeeper with a Redis of its own in front, which holds copies of settled records. Time passes in both. */
final class CopiedStoreHarness implements StoreHarness {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ZooKeeperStoreHarness zookeeper = new ZooKeeperStoreHarness();
    private final RunningRedis server = RedisServers.start(ServerOptions.own());
    private final RedisClient client = RedisClient.create(server.uri());
    private final RedisCommands<String, String> redis = client.connect().sync();
    private final ThreadPoolExecutor threads = (ThreadPoolExecutor) Executors.newFixedThreadPool(2);
    private final ReadThroughIdempotencyStore store = new ReadThroughIdempotencyStore(
            zookeeper.zookeeper(),
            new RedisSettledRecordCache(RedisSettings.of(RedisURI.create(server.uri()))),
            ReadThroughIdempotencyStore.DEFAULT_COPY_LIFE,
            threads,
            threads);

    @Override
    public IdempotencyStore store() {
        return store;
    }

    /** Returns how many copies there are now. */
    int copies() {
        awaitThreads();
        return redis.keys("*").size();
    }

    /** Removes all records, and leaves the copies. */
    void forgetRecords() {
        awaitThreads();
        zookeeper.close();
    }

    /** Lets copies get older, too: those whose life is over are removed. */
    @Override
    public void advance(Duration by) {
        awaitThreads();
        zookeeper.advance(by);
        redis.keys("*").forEach(key -> {
            long left = redis.pttl(key) - by.toMillis();
            if (left > 0) {
                redis.pexpire(key, left);
            } else {
                redis.del(key);
            }
        });
    }

    /** Waits until no copy is on its way. */
    private void awaitThreads() {
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> threads.getActiveCount() == 0 && threads.getQueue().isEmpty());
    }

    @Override
    public String stored(RecordId record) {
        return zookeeper.stored(record);
    }

    @Override
    public void close() {
        awaitThreads();
        zookeeper.close();
        redis.flushall();
    }

    void stop() {
        store.close();
        threads.shutdownNow();
        client.shutdown();
        server.close();
    }
}
