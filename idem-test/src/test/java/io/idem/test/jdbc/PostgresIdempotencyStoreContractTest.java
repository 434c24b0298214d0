package io.idem.test.jdbc;

import io.idem.test.contract.IdempotencyStoreContract;
import io.idem.test.contract.StoreHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract, for PostgreSQL. */
@Tag("servers")
class PostgresIdempotencyStoreContractTest extends IdempotencyStoreContract {

    private static PostgresStoreHarness harness;

    @BeforeAll
    static void start() {
        harness = new PostgresStoreHarness();
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
