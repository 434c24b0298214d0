package io.idem.test.redis;

import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisRecordLister;
import io.idem.spi.RecordLister;
import io.idem.test.contract.RecordListerContract;
import io.idem.test.contract.StoreHarness;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("servers")
class RedisRecordListerContractTest extends RecordListerContract {

    private static RedisStoreHarness harness;

    @BeforeAll
    static void start() {
        harness = new RedisStoreHarness();
    }

    @AfterAll
    static void stopServer() {
        harness.stop();
    }

    @Override
    protected StoreHarness open() {
        return harness;
    }

    @Override
    protected RecordLister lister() {
        return new RedisRecordLister(
                RedisSettings.of(RedisURI.create(harness.server().uri())));
    }

    /** Port 1 refuses connections. */
    @Override
    protected RecordLister unavailable() {
        return new RedisRecordLister(
                RedisSettings.of(RedisURI.create("redis://127.0.0.1:1")).withCommandTimeout(Duration.ofMillis(200)));
    }
}
