package io.idem.zookeeper;

import io.idem.spi.RecordLister;
import io.idem.test.contract.RecordListerContract;
import io.idem.test.contract.StoreHarness;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract of listers, for ZooKeeper. */
@Tag("servers")
class ZooKeeperRecordListerContractTest extends RecordListerContract {

    /** Port 1 refuses connections. */
    private static final ZooKeeperConnection NOWHERE = new ZooKeeperConnection(new ZooKeeperSettings(
            "127.0.0.1:1", "/idem", Duration.ofSeconds(1), Duration.ofSeconds(1), Optional.empty()));

    private static ZooKeeperStoreHarness harness;

    @BeforeAll
    static void start() {
        harness = new ZooKeeperStoreHarness();
    }

    @AfterAll
    static void stopSessions() {
        harness.stop();
        NOWHERE.close();
    }

    @Override
    protected StoreHarness open() {
        return harness;
    }

    @Override
    protected RecordLister lister() {
        return new ZooKeeperRecordLister(harness.connection());
    }

    @Override
    protected RecordLister unavailable() {
        return new ZooKeeperRecordLister(NOWHERE);
    }
}
