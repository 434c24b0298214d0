package io.idem.test.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Claim;
import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.redis.ReplicationSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.RunningRedisCluster;
import io.idem.servers.RunningSentinels;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A master dies, or hangs, while threads acquire and complete; the store follows its successor without being restarted. */
@Tag("extended")
class FailoverTest {

    private static final Logger LOG = LoggerFactory.getLogger(FailoverTest.class);
    private static final long SEED = Long.getLong("idem.failover.seed", 20261121L);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static IdempotencyStore store(RedisTopology topology, int replicas) {
        RedisSettings settings = RedisSettings.of(topology).withReplication(ReplicationSettings.to(replicas));
        return new RetryingIdempotencyStore(
                new RedisIdempotencyStore(settings), RetrySettings.within(Duration.ofSeconds(3)));
    }

    /** Runs a load, breaks something in its middle, and waits until as much was answered afterwards. */
    private static void survives(String what, IdempotencyStore store, Runnable fault, Runnable recovered)
            throws Exception {
        try (store) {
            Load load = Load.start(store, SEED);
            try (load) {
                await().atMost(PATIENCE).until(() -> load.completed().size() > 20);
                fault.run();
                recovered.run();
                long before = load.answers();
                await().atMost(PATIENCE).until(() -> load.answers() > before + 500);
            }
            LOG.info("{}, seed {}: {}", what, SEED, load);
            assertThat(load.surprises()).isEmpty();
            assertEachGrantHasAFenceOfItsOwn(load.grants());
            assertNothingConfirmedIsGrantedAgain(store, load);
        }
    }

    /** I6, and I1: nobody was granted a record of which somebody else's grant was confirmed and not settled. */
    private static void assertEachGrantHasAFenceOfItsOwn(List<Load.Grant> grants) {
        Map<Object, List<Load.Grant>> byRecord = grants.stream().collect(Collectors.groupingBy(Load.Grant::record));
        byRecord.values().forEach(ofOne -> {
            Set<Long> fences = new HashSet<>();
            ofOne.forEach(grant -> fences.add(grant.fence()));
            assertThat(fences).hasSameSizeAs(ofOne);
            assertThat(ofOne).as("owners told of a grant under one long lease").hasSize(1);
        });
    }

    private static void assertNothingConfirmedIsGrantedAgain(IdempotencyStore store, Load load) {
        load.completed()
                .forEach((record, grant) -> assertThat(store.acquire(Acquires.request(record)))
                        .isInstanceOfSatisfying(
                                Claim.Replay.class,
                                replay -> assertThat(replay.fence()).isEqualTo(grant.fence())));
    }

    @Test
    void aKilledMasterOfSentinelsIsReplacedUnderLoad() throws Exception {
        try (RunningSentinels sentinels = RedisServers.startSentinels(2)) {
            RunningRedis first = sentinels.master();
            survives(
                    "Sentinel, master killed",
                    store(TopologyHarness.of(sentinels), 1),
                    first::kill,
                    () -> await().atMost(PATIENCE).until(() -> sentinels.master() != first));
        }
    }

    /** All replicas must confirm: a replica that nobody has told of the new master yet would confirm what the thawed one executes. */
    @Test
    void aFrozenMasterOfSentinelsIsReplacedUnderLoadAndNotFollowedWhenItThaws() throws Exception {
        try (RunningSentinels sentinels = RedisServers.startSentinels(2)) {
            RunningRedis first = sentinels.master();
            survives("Sentinel, master frozen", store(TopologyHarness.of(sentinels), 2), first::freeze, () -> {
                await().atMost(PATIENCE).until(() -> sentinels.master() != first);
                first.thaw();
            });
        }
    }

    @Test
    void aKilledMasterOfAClusterIsReplacedUnderLoad() throws Exception {
        try (RunningRedisCluster cluster = RedisServers.startCluster(2)) {
            RunningRedis first = cluster.masterOf("any");
            survives(
                    "Cluster, master killed",
                    store(TopologyHarness.of(cluster), 1),
                    first::kill,
                    () -> await().atMost(PATIENCE).until(() -> cluster.masterOf("any") != first));
        }
    }

    /** All replicas must confirm, as behind Sentinels. */
    @Test
    void aFrozenMasterOfAClusterIsReplacedUnderLoad() throws Exception {
        try (RunningRedisCluster cluster = RedisServers.startCluster(2)) {
            RunningRedis first = cluster.nodes().get(1);
            survives("Cluster, master frozen", store(TopologyHarness.of(cluster), 2), first::freeze, () -> {
                RunningRedis other = cluster.nodes().get(0);
                String id = idOf(other, first);
                await().atMost(PATIENCE)
                        .until(() -> other.command("CLUSTER", "NODES")
                                .lines()
                                .anyMatch(line ->
                                        line.startsWith(id) && line.contains("fail") && !line.contains("fail?")));
                first.thaw();
            });
        }
    }

    private static String idOf(RunningRedis asked, RunningRedis wanted) {
        return asked.command("CLUSTER", "NODES")
                .lines()
                .filter(line -> line.contains("127.0.0.1:" + wanted.port() + "@"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .findFirst()
                .orElseThrow();
    }
}
