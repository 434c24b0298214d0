package io.idem.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records are deleted when their retention is long over, by one of all instances. */
@Tag("servers")
class ZooKeeperRecordCleanerTest {

    private static final Duration RETENTION = Duration.ofHours(1);
    private static final List<ACL> LOCKED =
            Collections.singletonList(new ACL(ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE));

    private final ZooKeeperStoreHarness harness = new ZooKeeperStoreHarness();
    private final ZooKeeperRecordCleaner cleaner = new ZooKeeperRecordCleaner(harness.connection());

    @AfterEach
    void stop() {
        harness.close();
        harness.stop();
    }

    @Test
    void whatExpiredLongAgoIsDeletedAndTheRestStays() {
        granted("long-ago");
        harness.advance(RETENTION.plus(ZooKeeperRecordCleaner.MARGIN));
        RecordId young = granted("young");

        assertThat(cleaner.clean(Duration.ZERO)).isOne();

        assertThat(harness.names()).containsExactly(young.key().id() + ":payments");
        assertThat(harness.store().inspect(young)).isPresent();
    }

    @Test
    void whatExpiredAMomentAgoStaysForLateWritesToFindIt() {
        granted("just-now");
        harness.advance(RETENTION.plus(ZooKeeperRecordCleaner.MARGIN).minusMinutes(1));

        assertThat(cleaner.clean(Duration.ZERO)).isZero();

        assertThat(harness.names()).hasSize(1);
    }

    @Test
    void ofManyInstancesOneCleansInAnHour() {
        granted("long-ago");
        harness.advance(RETENTION.multipliedBy(2));
        assertThat(cleaner.clean(Duration.ofHours(1))).isOne();
        granted("another");
        harness.advance(RETENTION.multipliedBy(2));

        assertThat(new ZooKeeperRecordCleaner(harness.connection()).clean(Duration.ofHours(1)))
                .isZero();
        assertThat(cleaner.clean(Duration.ZERO)).isOne();
    }

    @Test
    void ofTwoCleanersTheLaterOneDeletesNoRecordThatWasMadeAgain() {
        RecordId record = granted("long-ago");
        harness.advance(RETENTION.plus(ZooKeeperRecordCleaner.MARGIN));
        CleaningRun late = new CleaningRun(harness.connection());
        Session session = harness.connection().session();
        String name = harness.names().get(0);
        long now = ZooKeeperConnection.await("a test", session.time());
        CleaningRun.Expired expired = late.expired(session, Layout.shardOf(name), List.of(name), now);
        assertThat(expired.versions()).hasSize(1);
        assertThat(cleaner.clean(Duration.ZERO)).isOne();
        granted("long-ago");
        harness.advance(Duration.ZERO);

        assertThat(late.delete(expired)).isZero();

        assertThat(harness.store().inspect(record)).isPresent();
    }

    @Test
    void aNodeThatMayNotBeReadKeepsNoOtherFromBeingDeleted() throws Exception {
        RecordId locked = granted("locked");
        for (int i = 0; i < 20; i++) {
            granted("long-ago-" + i);
        }
        harness.advance(RETENTION.plus(ZooKeeperRecordCleaner.MARGIN));
        String path = harness.connection().layout().record(locked);
        access(path, LOCKED);

        assertThat(cleaner.clean(Duration.ZERO)).isEqualTo(20);

        access(path, ZooDefs.Ids.OPEN_ACL_UNSAFE);

        assertThat(harness.names()).containsExactly(locked.key().id() + ":payments");
    }

    @Test
    void afterAFailureTheNextShardIsCleanedAndTheFailureIsReported() throws Exception {
        RecordId locked = granted("locked");
        granted("long-ago");
        harness.advance(RETENTION.plus(ZooKeeperRecordCleaner.MARGIN));
        String shard = Layout.parentOf(harness.connection().layout().record(locked));
        access(shard, LOCKED);

        assertThatThrownBy(() -> cleaner.clean(Duration.ZERO))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("1 of 2 parts of the records could not be cleaned", "1 expired records");

        access(shard, ZooDefs.Ids.OPEN_ACL_UNSAFE);
        assertThat(harness.names()).containsExactly(locked.key().id() + ":payments");
    }

    private void access(String path, List<ACL> access) throws Exception {
        var unused = harness.connection().client().setACL(path, access, -1);
    }

    @Test
    void aRecordWithAChildKeepsNoOtherFromBeingDeleted() throws Exception {
        String name = Layout.name(granted("long-ago").key(), "payments");
        String path = harness.connection().layout().record(name);
        String beside = path + "-of-old";
        byte[] bytes = harness.read(name).orElseThrow().data();
        for (String other : List.of(beside, beside + "er", path + "/child")) {
            String unused = harness.connection()
                    .client()
                    .create(other, bytes, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
        harness.advance(RETENTION.plus(ZooKeeperRecordCleaner.MARGIN));

        assertThat(cleaner.clean(Duration.ZERO)).isEqualTo(2);

        assertThat(harness.names()).containsExactly(name);
    }

    private RecordId granted(String key) {
        RecordId record = new RecordId(IdempotencyKey.of(key), new Scope("payments"));
        Claim claim = harness.store()
                .acquire(new AcquireRequest(
                        record,
                        OwnerToken.random(new SecureRandom()),
                        Duration.ofMinutes(1),
                        RETENTION,
                        Fingerprint.NONE,
                        0,
                        0));
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return record;
    }
}
