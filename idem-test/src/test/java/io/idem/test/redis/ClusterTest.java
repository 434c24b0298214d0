package io.idem.test.redis;

import static io.idem.test.redis.Acquires.granted;
import static io.idem.test.redis.Acquires.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.redis.RedisSettings;
import io.idem.redis.ReplicationSettings;
import io.idem.redis.UnsuitableRedisException;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.redis.store.RedisRecordLister;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.RunningRedisCluster;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordLister;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a cluster does that a single server does not. */
@Tag("extended")
class ClusterTest {

    /** So many that every master has some. */
    private static final int MANY = 120;

    private static RunningRedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisServers.startCluster(1);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static RedisSettings settings() {
        return RedisSettings.of(TopologyHarness.of(cluster)).withCommandTimeout(Duration.ofSeconds(2));
    }

    private static IdempotencyStore plain() {
        return new RedisIdempotencyStore(settings());
    }

    /** A batch sends every script as text first. */
    private static IdempotencyStore patient() {
        return new RedisIdempotencyStore(settings().withCommandTimeout(Duration.ofSeconds(5)));
    }

    private static IdempotencyStore gated() {
        return new RetryingIdempotencyStore(
                new RedisIdempotencyStore(settings().withReplication(ReplicationSettings.to(1))),
                RetrySettings.within(Duration.ofSeconds(3)));
    }

    /** Records whose keys share a slot with a key, so that they can be moved together. */
    private static List<RecordId> scopesOf(IdempotencyKey key, int count) {
        List<RecordId> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(new RecordId(key, new Scope("scope-" + i)));
        }
        return records;
    }

    /** A slot on its way from one master to another one. */
    private record Moving(String slot, RunningRedis from, RunningRedis to) {

        static Moving slotOf(RecordId any) {
            RunningRedis from = cluster.masterOf(Acquires.keyOf(any));
            RunningRedis to = cluster.nodes().stream()
                    .filter(node -> !node.equals(from) && node.info("role").equals("master"))
                    .findFirst()
                    .orElseThrow();
            return new Moving(from.command("CLUSTER", "KEYSLOT", Acquires.keyOf(any)), from, to);
        }

        void begin() {
            to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", RunningRedisCluster.idOf(from));
            from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", RunningRedisCluster.idOf(to));
        }

        void take(RecordId record) {
            from.command("MIGRATE", "127.0.0.1", "" + to.port(), Acquires.keyOf(record), "0", "5000");
        }

        void end() {
            to.command("CLUSTER", "SETSLOT", slot, "NODE", RunningRedisCluster.idOf(to));
            from.command("CLUSTER", "SETSLOT", slot, "NODE", RunningRedisCluster.idOf(to));
        }
    }

    private static void migrateWhile(IdempotencyStore store, IdempotencyKey key) {
        List<RecordId> records = scopesOf(key, 6);
        Moving moving = Moving.slotOf(records.get(0));
        Lease stays = granted(store.acquire(request(records.get(0)))).lease();
        Lease moves = granted(store.acquire(request(records.get(1)))).lease();

        moving.begin();
        moving.take(records.get(1));

        assertThat(store.complete(moves, StoredResult.NONE)).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(store.complete(stays, StoredResult.NONE)).isInstanceOf(StoreAnswer.Ok.class);
        Lease made = granted(store.acquire(request(records.get(2)))).lease();

        moving.take(records.get(0));
        moving.end();

        assertThat(store.complete(made, StoredResult.NONE)).isInstanceOf(StoreAnswer.Ok.class);
        for (RecordId record : records.subList(0, 3)) {
            assertThat(store.acquire(request(record))).isInstanceOf(Claim.Replay.class);
        }
        assertThat(granted(store.acquire(request(records.get(3)))).kind()).isEqualTo(Claim.GrantKind.FRESH);
    }

    /** The claims of one batch, without those of records whose node did not answer. */
    private static List<Claim> claims(IdempotencyStore store, List<RecordId> records) {
        List<Claim> claims = new ArrayList<>();
        List<AcquireRequest> requests = records.stream().map(Acquires::request).toList();
        for (CompletionStage<Claim> claim : store.acquire(requests)) {
            try {
                claims.add(claim.toCompletableFuture().join());
            } catch (CompletionException failed) {
                assertThat(failed).hasCauseInstanceOf(StoreUnavailableException.class);
            }
        }
        return claims;
    }

    private static List<Lease> leases(IdempotencyStore store, List<RecordId> records) {
        List<Lease> leases = claims(store, records).stream()
                .map(claim -> granted(claim).lease())
                .toList();
        assertThat(leases).extracting(Lease::record).isEqualTo(records);
        return leases;
    }

    private static void completeAll(IdempotencyStore store, List<Lease> leases) {
        List<RecordUpdate> requests = leases.stream()
                .<RecordUpdate>map(lease -> new RecordUpdate.Complete(lease, StoredResult.NONE))
                .toList();
        for (CompletionStage<StoreAnswer> settlement : store.update(requests)) {
            assertThat(settlement.toCompletableFuture().join()).isInstanceOf(StoreAnswer.Ok.class);
        }
    }

    private static List<RecordId> everywhere() {
        return Stream.generate(Acquires::someRecord).limit(MANY).toList();
    }

    @Test
    void aBatchFollowsRecordsWhoseSlotIsOnItsWay() {
        List<RecordId> records = scopesOf(IdempotencyKey.of("moving under batches"), 6);
        Moving moving = Moving.slotOf(records.get(0));
        try (IdempotencyStore store = patient()) {
            List<Lease> leases = leases(store, records.subList(0, 4));
            moving.begin();
            records.subList(0, 2).forEach(moving::take);

            completeAll(store, leases);
            List<Lease> made = leases(store, records.subList(4, 6));

            records.subList(2, 4).forEach(moving::take);
            moving.end();
            completeAll(store, made);
            assertThat(claims(store, records)).hasSize(6).allMatch(Claim.Replay.class::isInstance);
        }
    }

    @Test
    void aBatchFollowsRecordsWhoseSlotHasMovedUnnoticed() {
        List<RecordId> records = scopesOf(IdempotencyKey.of("moved before a batch"), 6);
        Moving moving = Moving.slotOf(records.get(0));
        try (IdempotencyStore store = patient()) {
            List<Lease> leases = leases(store, records);
            moving.begin();
            records.forEach(moving::take);
            moving.end();

            List<Lease> others = leases(store, everywhere());
            completeAll(store, leases);
            completeAll(store, others);
            assertThat(claims(store, records)).hasSize(6).allMatch(Claim.Replay.class::isInstance);
        }
    }

    @Test
    void batchesGoOnWithTheReplicaOfAMasterThatWasKilled() {
        RunningRedis master = cluster.masterOf("{killed}");
        try (IdempotencyStore store = patient()) {
            completeAll(store, leases(store, everywhere()));
            master.kill();

            await().atMost(Duration.ofMinutes(2))
                    .until(() -> claims(store, everywhere()).size() == MANY);
            completeAll(store, leases(store, everywhere()));
        } finally {
            master.start();
            await().ignoreExceptions()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> master.info("master_link_status").equals("up"));
        }
    }

    @Test
    void aSlotMayMoveWhileItsRecordsAreUsed() {
        try (IdempotencyStore store = plain()) {
            migrateWhile(store, IdempotencyKey.of("moving"));
        }
    }

    @Test
    void aSlotMayMoveWhileItsRecordsAreUsedThroughTheGate() {
        try (IdempotencyStore store = gated()) {
            migrateWhile(store, IdempotencyKey.of("moving through the gate"));
        }
    }

    @Test
    void theRecordsOfAllMastersAreListed() {
        Set<String> expected = new HashSet<>();
        Set<String> listed = new HashSet<>();
        Set<String> masters = new HashSet<>();
        try (IdempotencyStore store = plain();
                RedisRecordLister lister = new RedisRecordLister(settings())) {
            for (int i = 0; i < 60; i++) {
                RecordId record = new RecordId(IdempotencyKey.of("listed-" + i), new Scope("listed"));
                store.acquire(request(record));
                expected.add(record.key().id());
            }
            String cursor = RecordLister.START;
            do {
                RecordLister.Page page = lister.list(cursor, 10);
                page.records().stream()
                        .filter(found -> found.record().scope().equals(new Scope("listed")))
                        .forEach(found -> listed.add(found.keyId()));
                cursor = page.next();
                masters.add(cursor.replaceAll(":.*", ""));
            } while (!cursor.equals(RecordLister.START));
        }
        assertThat(listed).isEqualTo(expected);
        assertThat(masters).as("nodes, and the end").hasSizeGreaterThan(2);
    }

    @Test
    void theStoryOfAKeyIsReadFromItsOneSlot() {
        try (IdempotencyStore store = plain()) {
            List<RecordId> records = scopesOf(IdempotencyKey.of("story"), 3);
            records.forEach(record -> {
                store.announce(record.scope());
                store.acquire(request(record));
            });

            assertThat(store.inspectAll(IdempotencyKey.of("story"))).hasSize(3);
        }
    }

    @Test
    void grantsAreConfirmedByTheReplicaOfTheNodeThatHasTheSlot() {
        try (IdempotencyStore store = gated()) {
            for (int i = 0; i < 50; i++) {
                RecordId record = new RecordId(IdempotencyKey.of("spread-" + i), new Scope("payments"));
                Lease lease = granted(store.acquire(request(record))).lease();
                assertThat(store.complete(lease, StoredResult.NONE)).isInstanceOf(StoreAnswer.Ok.class);
            }
        }
    }

    @Test
    void moreReplicasThanTheNodeHasConfirmNothing() {
        try (RedisIdempotencyStore store =
                new RedisIdempotencyStore(settings().withReplication(ReplicationSettings.to(2)))) {
            assertThatThrownBy(() -> store.acquire(request(Acquires.someRecord())))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("1 of 2 replicas");
        }
    }

    @Test
    void oneEvictingNodeIsEnoughToRefuseTheCluster() {
        RunningRedis node = cluster.nodes().get(4);
        node.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        try (RedisIdempotencyStore store = new RedisIdempotencyStore(settings())) {
            assertThatThrownBy(store::checkServer)
                    .isInstanceOf(UnsuitableRedisException.class)
                    .hasMessageContaining("allkeys-lru");
        } finally {
            node.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
    }

    @ParameterizedTest
    @CsvSource({"maxmemory, 1, 0, raise maxmemory", "maxmemory-policy, allkeys-lru, noeviction, allkeys-lru"})
    void whatOneMasterRefusesIsSeenByTheCheckOfTheStore(String setting, String bad, String good, String cause) {
        List<RunningRedis> masters = cluster.nodes().stream()
                .filter(node -> node.info("role").equals("master"))
                .toList();
        try (IdempotencyStore store = plain()) {
            for (RunningRedis master : masters) {
                store.check();
                master.command("CONFIG", "SET", setting, bad);
                assertThatThrownBy(store::check)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining(cause);
                master.command("CONFIG", "SET", setting, good);
            }
            store.check();
        }
    }

    @Test
    void oneSilentNodeDoesNotKeepTheOthersFromAnswering() {
        RunningRedis silent = cluster.masterOf("{silent}");
        try (IdempotencyStore store = plain()) {
            granted(store.acquire(request(Acquires.someRecord())));
            silent.freeze();
            await().ignoreExceptions().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                RecordId record = Acquires.someRecord();
                granted(store.acquire(request(record)));
            });
            await().ignoreExceptions()
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> !cluster.masterOf("{silent}").equals(silent)
                            || cluster.nodes().stream()
                                    .filter(node -> !node.equals(silent))
                                    .anyMatch(node -> node.command("CLUSTER", "NODES")
                                            .lines()
                                            .anyMatch(line -> line.contains(":" + silent.port() + "@")
                                                    && line.contains("fail")
                                                    && !line.contains("fail?"))));
            for (int i = 0; i < 30; i++) {
                RecordId record = Acquires.someRecord();
                await().ignoreExceptions()
                        .atMost(Duration.ofMinutes(2))
                        .untilAsserted(
                                () -> assertThat(store.acquire(request(record))).isInstanceOf(Claim.Granted.class));
            }
        } finally {
            silent.thaw();
        }
    }
}
