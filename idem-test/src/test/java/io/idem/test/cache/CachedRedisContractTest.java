package io.idem.test.cache;

import io.idem.test.contract.IdempotencyStoreContract;
import io.idem.test.contract.StoreHarness;
import io.idem.test.redis.RedisStoreHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract, for a near cache in front of Redis. */
@Tag("servers")
class CachedRedisContractTest extends IdempotencyStoreContract {

    private static RedisStoreHarness redis;

    @BeforeAll
    static void start() {
        redis = new RedisStoreHarness();
    }

    @AfterAll
    static void stop() {
        redis.stop();
    }

    @Override
    protected StoreHarness open() {
        return new CachedHarness(redis);
    }
}
