package io.idem.test.jdbc;

import io.idem.RecordId;
import io.idem.cache.ReadThroughIdempotencyStore;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisSettledRecordCache;
import io.idem.spi.IdempotencyStore;
import io.idem.test.contract.StoreHarness;
import io.idem.test.redis.RedisStoreHarness;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;

/**
 * PostgreSQL with a Redis of its own in front, reached directly. Time passes in both. The caller of an acquire makes
 * the copy itself, so that tests find it.
 */
public final class ReadThroughStoreHarness implements StoreHarness {

    static final Duration COPY_LIFE = ReadThroughIdempotencyStore.DEFAULT_COPY_LIFE;

    private final PostgresStoreHarness postgres = new PostgresStoreHarness();
    private final RedisStoreHarness redis = new RedisStoreHarness();
    private final RedisSettledRecordCache front;
    private final ReadThroughIdempotencyStore store;

    /** Starts a Redis. */
    public ReadThroughStoreHarness() {
        front = new RedisSettledRecordCache(
                RedisSettings.of(RedisURI.create(redis.server().uri())));
        store = new ReadThroughIdempotencyStore(postgres.postgres(), front, COPY_LIFE, Runnable::run, Runnable::run);
    }

    @Override
    public IdempotencyStore store() {
        return store;
    }

    /** The truth and its harness. */
    PostgresStoreHarness postgres() {
        return postgres;
    }

    /** Redis, to be broken. */
    RedisStoreHarness redis() {
        return redis;
    }

    /** What lies in front. */
    RedisSettledRecordCache front() {
        return front;
    }

    /** Copies get older too: what would have expired goes, the rest keeps what is left of its life. */
    @Override
    public void advance(Duration by) {
        postgres.advance(by);
        redis.redis().keys("idem:*").forEach(key -> {
            long left = redis.redis().pttl(key) - by.toMillis();
            if (left > 0) {
                redis.redis().pexpire(key, left);
            } else {
                redis.redis().del(key);
            }
        });
    }

    @Override
    public String stored(RecordId record) {
        return postgres.stored(record);
    }

    /** Several records as they are stored. */
    public List<String> stored(List<RecordId> records) {
        return postgres.stored(records);
    }

    @Override
    public void close() {
        postgres.close();
        redis.close();
    }

    /** Ends Redis and removes the schema. */
    public void stop() {
        front.close();
        redis.stop();
        postgres.stop();
    }
}
