package io.idem.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.test.contract.IdempotencyStoreContract;
import io.idem.test.contract.StoreHarness;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract, for ZooKeeper with copies in Redis. */
@Tag("extended")
class CopiedStoreContractTest extends IdempotencyStoreContract {

    private static CopiedStoreHarness harness;

    @BeforeAll
    static void start() {
        harness = new CopiedStoreHarness();
    }

    @AfterAll
    static void stopServers() {
        harness.stop();
    }

    @Override
    protected StoreHarness open() {
        return harness;
    }

    @Test
    void aDuplicateOfSettledWorkLeavesACopyThatAnswersTheNext() {
        RecordId record = new RecordId(IdempotencyKey.of("copied"), new Scope("payments"));
        Claim.Granted granted = (Claim.Granted) acquire(record);
        harness.store().complete(granted.lease(), StoredResult.NONE);

        assertThat(harness.copies()).isZero();
        assertThat(acquire(record)).isInstanceOf(Claim.Replay.class);
        assertThat(harness.copies()).isOne();
        harness.forgetRecords();
        assertThat(acquire(record)).isInstanceOf(Claim.Replay.class);
    }

    private static Claim acquire(RecordId record) {
        Duration hour = Duration.ofHours(1);
        return harness.store()
                .acquire(new AcquireRequest(
                        record, OwnerToken.random(new SecureRandom()), hour, hour, Fingerprint.NONE, 0, 0));
    }
}
