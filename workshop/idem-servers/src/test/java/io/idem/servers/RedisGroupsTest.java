package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RedisGroupsTest {

    @Test
    @Tag("extended")
    void sentinelsPromoteAReplicaOfAKilledMaster() {
        try (RunningSentinels group = RedisServers.startSentinels(1)) {
            RunningRedis first = group.master();
            assertThat(first.command("WAIT", "0", "0")).isEqualTo("1");

            first.kill();

            RunningSentinels.await("another master", () -> group.master() != first);
            RunningRedis promoted = group.master();
            RunningSentinels.await(
                    "it takes writes", () -> promoted.info("role").equals("master"));
        }
    }

    @Test
    @Tag("extended")
    void aClusterPromotesAReplicaOfAKilledMaster() {
        try (RunningRedisCluster cluster = RedisServers.startCluster(1)) {
            RunningRedis first = cluster.masterOf("some key");

            first.kill();

            RunningSentinels.await("another master", () -> cluster.masterOf("some key") != first);
            assertThat(cluster.masterOf("some key").info("role")).isEqualTo("master");
        }
    }

    @Test
    void aClusterWithoutReplicasServesAllSlots() {
        try (RunningRedisCluster cluster = RedisServers.startCluster(0)) {
            assertThat(cluster.nodes()).hasSize(3);
            RunningRedis node = cluster.masterOf("some key");
            assertThat(node.command("SET", "some key", "x")).isEqualTo("OK");
        }
    }

    @Test
    void aClusterDoesNotAgreeWhileOneNodeNamesAnotherOwnerOfASlot() {
        try (RunningRedisCluster cluster = RedisServers.startCluster(0)) {
            RunningSentinels.await("all agree after the start", cluster::agrees);
            List<RunningRedis> nodes = cluster.nodes();
            String owner = RunningRedisCluster.idOf(nodes.get(0));
            nodes.get(1).command("CLUSTER", "SETSLOT", "0", "NODE", RunningRedisCluster.idOf(nodes.get(2)));

            RunningSentinels.await("two owners are named", () -> !cluster.agrees());

            RunningSentinels.await("all agree when all are told", () -> {
                nodes.forEach(node -> node.command("CLUSTER", "SETSLOT", "0", "NODE", owner));
                return cluster.agrees();
            });
        }
    }
}
