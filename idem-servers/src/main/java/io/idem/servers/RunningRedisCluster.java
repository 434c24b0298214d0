package io.idem.servers;

import io.idem.servers.process.FreePorts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A Redis Cluster of three masters, each with replicas, of which one takes over about a second after its master went silent.
 * All are processes of this JVM's own on the loopback address. Thread-safe; methods block until done.
 */
public final class RunningRedisCluster implements AutoCloseable {

    private static final int MASTERS = 3;
    private static final int SLOTS = 16384;

    private final List<RunningRedis> nodes = new ArrayList<>();

    private RunningRedisCluster() {}

    static RunningRedisCluster start(RedisProgram program, int replicasPerMaster) {
        RunningRedisCluster cluster = new RunningRedisCluster();
        try {
            cluster.startAll(program, MASTERS * (1 + replicasPerMaster));
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startAll(RedisProgram program, int count) {
        for (int i = 0; i < count; i++) {
            nodes.add(program.start(options()));
        }
        for (int i = 0; i < count; i++) {
            nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        for (int i = 0; i < MASTERS; i++) {
            nodes.get(i).command("CLUSTER", "ADDSLOTSRANGE", "" + firstSlot(i), "" + (firstSlot(i + 1) - 1));
        }
        introduce();
        IntStream.range(MASTERS, count).forEach(i -> replicate(nodes.get(i), nodes.get(i % MASTERS)));
        RunningSentinels.await(
                "the cluster serves all slots", () -> nodes.stream().allMatch(this::settled));
    }

    private static ServerOptions options() {
        return ServerOptions.own()
                .with("cluster-enabled", "yes")
                .with("cluster-port", Integer.toString(FreePorts.next()))
                .with("cluster-node-timeout", "1000")
                .with("cluster-require-full-coverage", "no")
                .with("repl-diskless-sync-delay", "0");
    }

    private static int firstSlot(int master) {
        return SLOTS * master / MASTERS;
    }

    private void introduce() {
        RunningRedis first = nodes.get(0);
        for (RunningRedis node : nodes) {
            first.command(
                    "CLUSTER",
                    "MEET",
                    "127.0.0.1",
                    "" + node.port(),
                    node.command("CONFIG", "GET", "cluster-port")
                            .lines()
                            .skip(1)
                            .findFirst()
                            .orElseThrow());
        }
        RunningSentinels.await(
                "the nodes know each other",
                () -> nodes.stream().allMatch(node -> lines(node).size() == nodes.size()));
    }

    private static void replicate(RunningRedis replica, RunningRedis master) {
        replica.command("CLUSTER", "REPLICATE", idOf(master));
    }

    private boolean settled(RunningRedis node) {
        boolean master = nodes.indexOf(node) < MASTERS;
        return node.command("CLUSTER", "INFO").contains("cluster_state:ok")
                && lines(node).stream().filter(line -> line.contains("slave")).count() == nodes.size() - MASTERS
                && (master || node.info("master_link_status").equals("up"));
    }

    private static List<String> lines(RunningRedis node) {
        return node.command("CLUSTER", "NODES").lines().toList();
    }

    /** How the nodes call a node among themselves. */
    public static String idOf(RunningRedis node) {
        return node.command("CLUSTER", "MYID");
    }

    /** All nodes; at first the masters come before the replicas. */
    public List<RunningRedis> nodes() {
        return List.copyOf(nodes);
    }

    /** The master that serves a key, by what a living node says. */
    public RunningRedis masterOf(String key) {
        RunningRedis asked = nodes.stream()
                .filter(node -> RedisPing.answers(node.port()))
                .findFirst()
                .orElseThrow();
        int slot = Integer.parseInt(asked.command("CLUSTER", "KEYSLOT", key));
        String owner = lines(asked).stream()
                .filter(line -> line.contains("master") && serves(line, slot))
                .findFirst()
                .orElseThrow();
        return nodes.stream()
                .filter(node -> owner.contains("127.0.0.1:" + node.port() + "@"))
                .findFirst()
                .orElseThrow();
    }

    private static boolean serves(String line, int slot) {
        return Arrays.stream(line.split(" "))
                .skip(8)
                .filter(range -> !range.startsWith("["))
                .map(range -> range.split("-"))
                .anyMatch(range ->
                        Integer.parseInt(range[0]) <= slot && slot <= Integer.parseInt(range[range.length - 1]));
    }

    @Override
    public void close() {
        nodes.forEach(RunningServer::close);
    }
}
