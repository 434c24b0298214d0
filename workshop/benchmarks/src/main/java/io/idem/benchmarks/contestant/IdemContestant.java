package io.idem.benchmarks.contestant;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.cache.CacheSettings;
import io.idem.cache.CachingIdempotencyStore;
import io.idem.engine.IdempotentExecutor;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;

/** The engine of idem, called as listeners and filters call it. */
final class IdemContestant implements Contestant {

    private static final Scope SCOPE = new Scope("bench");
    private static final ExecutionPolicy POLICY = ExecutionPolicy.defaults();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final IdempotencyStore store;
    private final IdempotentExecutor executor;

    private IdemContestant(IdempotencyStore store) {
        this.store = store;
        this.executor = IdempotentExecutor.on(store).build();
    }

    static Contestant engine(String uri) {
        return new IdemContestant(redis(uri));
    }

    static Contestant cached(String uri) {
        return new IdemContestant(new CachingIdempotencyStore(redis(uri), CacheSettings.defaults()));
    }

    static Contestant store(String uri) {
        return new StoreContestant(redis(uri));
    }

    /** Creates a store with long timeouts: the first call connects, and a busy machine must not end a measurement. */
    static IdempotencyStore redis(String uri) {
        return new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(uri)).withCommandTimeout(PATIENCE));
    }

    @Override
    public Object fresh(String key) {
        return execute(key);
    }

    @Override
    public Object duplicate(String key) {
        return execute(key);
    }

    private Outcome<Integer> execute(String key) {
        try {
            return executor.execute(
                    Operation.of(IdempotencyKey.of(key), SCOPE, POLICY),
                    context -> new WorkResult.Complete<>(1, StoredResult.NONE));
        } catch (Exception failed) {
            throw new IllegalStateException("The engine threw", failed);
        }
    }

    @Override
    public void close() {
        executor.close();
        store.close();
    }
}
