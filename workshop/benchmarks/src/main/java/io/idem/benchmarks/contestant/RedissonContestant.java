package io.idem.benchmarks.contestant;

import java.time.Duration;
import org.redisson.Redisson;
import org.redisson.api.RBucket;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * The usual recipe with Redisson: look up, lock, look up again, mark as done, unlock; with the default connection pool.
 */
final class RedissonContestant implements Contestant {

    private static final Duration RETENTION = Duration.ofHours(24);

    private final RedissonClient client;

    RedissonContestant(String uri) {
        Config config = new Config();
        config.setCodec(StringCodec.INSTANCE);
        config.useSingleServer().setAddress(uri);
        this.client = Redisson.create(config);
    }

    @Override
    public Object fresh(String key) {
        RBucket<String> done = client.getBucket("redisson:" + key);
        if (done.isExists()) {
            return done;
        }
        RLock lock = client.getLock("redisson-lock:" + key);
        lock.lock();
        try {
            if (!done.isExists()) {
                done.set("1", RETENTION);
            }
            return done;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Object duplicate(String key) {
        return fresh(key);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
