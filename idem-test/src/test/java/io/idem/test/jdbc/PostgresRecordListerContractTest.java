package io.idem.test.jdbc;

import io.idem.jdbc.store.PostgresRecordLister;
import io.idem.spi.RecordLister;
import io.idem.test.contract.RecordListerContract;
import io.idem.test.contract.StoreHarness;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.postgresql.ds.PGSimpleDataSource;

@Tag("servers")
class PostgresRecordListerContractTest extends RecordListerContract {

    private static PostgresStoreHarness harness;

    @BeforeAll
    static void start() {
        harness = new PostgresStoreHarness();
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
        return new PostgresRecordLister(harness.dataSource());
    }

    /** Port 1 refuses connections. */
    @Override
    protected RecordLister unavailable() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setUrl("jdbc:postgresql://127.0.0.1:1/none");
        return new PostgresRecordLister(nowhere);
    }
}
