package io.idem.test.redis;

import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.test.contract.IdempotencyStoreContract;
import io.idem.test.contract.StoreHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract, for Redis as seen by the user that the documentation proposes. */
@Tag("servers")
class AclContractTest extends IdempotencyStoreContract {

    private static RedisStoreHarness harness;

    @BeforeAll
    static void start() {
        harness = new RedisStoreHarness(server ->
                new RedisIdempotencyStore(RedisSettings.of(DocumentedAcl.user(server, DocumentedAcl.rules()))));
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
