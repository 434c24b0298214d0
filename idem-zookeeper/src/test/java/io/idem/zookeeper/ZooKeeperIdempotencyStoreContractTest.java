package io.idem.zookeeper;

import io.idem.test.contract.IdempotencyStoreContract;
import io.idem.test.contract.StoreHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract, for ZooKeeper. */
@Tag("servers")
class ZooKeeperIdempotencyStoreContractTest extends IdempotencyStoreContract {

    private static ZooKeeperStoreHarness harness;

    @BeforeAll
    static void start() {
        harness = new ZooKeeperStoreHarness();
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
