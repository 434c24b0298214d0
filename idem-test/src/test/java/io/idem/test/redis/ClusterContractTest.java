package io.idem.test.redis;

import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedisCluster;
import io.idem.test.contract.IdempotencyStoreContract;
import io.idem.test.contract.StoreHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract, for a Redis Cluster. */
@Tag("extended")
class ClusterContractTest extends IdempotencyStoreContract {

    private static RunningRedisCluster cluster;
    private static TopologyHarness harness;

    @BeforeAll
    static void start() {
        cluster = RedisServers.startCluster(0);
        harness = TopologyHarness.on(TopologyHarness.of(cluster));
    }

    @AfterAll
    static void stop() {
        harness.stop();
        cluster.close();
    }

    @Override
    protected StoreHarness open() {
        return harness;
    }
}
