package io.idem.test.upgrade;

import io.idem.test.contract.IdempotencyStoreContract;
import io.idem.test.contract.StoreHarness;
import io.idem.test.redis.RedisStoreHarness;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract, with every second call going to the earlier version. */
@Tag("extended")
class RollingUpgradeContractTest extends IdempotencyStoreContract {

    private static final AtomicInteger CALLS = new AtomicInteger();
    private static RedisStoreHarness harness;

    @BeforeAll
    static void start() {
        harness = new RedisStoreHarness(server -> RollingUpgrade.on(server, () -> CALLS.incrementAndGet() % 2 == 0));
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
