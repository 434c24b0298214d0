package io.idem.test.redis;

import static io.idem.test.redis.Acquires.granted;
import static io.idem.test.redis.Acquires.lease;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.redis.ReplicationSettings;
import io.idem.servers.ServerOptions;
import io.idem.servers.junit.RequiresRecentRedis;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the gate can ask of Redis 7.2 and of Valkey: what the append-only files have synced. */
@Tag("extended")
@RequiresRecentRedis
class RecentRedisTest {

    private static final ReplicationSettings DISKS = new ReplicationSettings(0, true, 1, Duration.ofSeconds(3));

    @Test
    void grantsAndOutcomesAreConfirmedByTheDisksOfMasterAndReplica() {
        try (ReplicatedRedis redis = new ReplicatedRedis(ServerOptions.own().keepingData())) {
            IdempotencyStore store = redis.gated(DISKS);

            assertThat(store.complete(lease(store, someRecord()), StoredResult.NONE))
                    .isInstanceOf(StoreAnswer.Ok.class);
        }
    }

    @Test
    void aReplicaThatDoesNotAnswerConfirmsNothing() {
        try (ReplicatedRedis redis = new ReplicatedRedis(ServerOptions.own().keepingData())) {
            IdempotencyStore store = redis.gated(DISKS);
            lease(store, someRecord());
            redis.replication.blackHole();

            assertThatThrownBy(() -> store.acquire(request(someRecord())))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("0 of 1 replicas have synced it");
            redis.replication.pass();
            granted(store.acquire(request(someRecord())));
        }
    }
}
