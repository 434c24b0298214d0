package io.idem.test.redis;

import io.idem.test.contract.IdempotencyStoreContract;
import io.idem.test.contract.StoreHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract, for Redis. */
@Tag("servers")
class RedisIdempotencyStoreContractTest extends IdempotencyStoreContract {

    private static RedisStoreHarness harness;

    @BeforeAll
    static void start() {
        harness = new RedisStoreHarness();
    }

    @AfterAll
    static void stop() {
        harness.stop();
    }

    @Override
    protected StoreHarness open() {
        return harness;
    }
}
