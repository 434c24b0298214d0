package io.idem.test.redis;

import io.idem.redis.RedisSettings;
import io.idem.redis.ReplicationSettings;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningSentinels;
import io.idem.test.contract.IdempotencyStoreContract;
import io.idem.test.contract.StoreHarness;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract, for a master that Sentinels watch, with grants and outcomes confirmed by its replica. */
@Tag("extended")
class SentinelContractTest extends IdempotencyStoreContract {

    private static RunningSentinels sentinels;
    private static TopologyHarness harness;

    @BeforeAll
    static void start() {
        sentinels = RedisServers.startSentinels(1);
        harness = TopologyHarness.on(RedisSettings.of(TopologyHarness.of(sentinels))
                .withReplication(new ReplicationSettings(1, false, 0, Duration.ofSeconds(20))));
    }

    @AfterAll
    static void stop() {
        harness.stop();
        sentinels.close();
    }

    @Override
    protected StoreHarness open() {
        return harness;
    }
}
