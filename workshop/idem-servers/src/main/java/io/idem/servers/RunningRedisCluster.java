package io.idem.servers;

import io.idem.servers.process.FreePorts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis Cluster of three masters, each with replicas, one of which takes over about a second after its master stopped
 * answering. All nodes are own processes on the loopback address. Thread-safe; methods block until done.
 */
public final class RunningRedisCluster implements AutoCloseable {

    private static final int MASTERS = 3;
    private static final int SLOTS = 16384;

    /** Position of the flags in a line of {@code CLUSTER NODES}. */
    private static final int FLAGS = 2;

    private static final int EPOCH = 6;
    private static final int FIRST_RANGE = 8;

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

    /**
     * Returns whether all nodes, none of which may be down, know the same masters with the same slots and configuration
     * epochs, and no two masters have the same epoch. If slots are moved earlier by {@code CLUSTER SETSLOT}, two
     * masters may claim one slot and a third may accept the wrong claim; then the nodes redirect clients to one another
     * and never agree.
     */
    public boolean agrees() {
        List<Set<Master>> views =
                nodes.stream().map(RunningRedisCluster::masters).distinct().toList();
        return views.size() == 1
                && views.get(0).stream().map(Master::epoch).distinct().count()
                        == views.get(0).size();
    }

    /** A node's view of a master: its id, its configuration epoch and its slots. */
    private record Master(String id, String epoch, List<String> slots) {

        static Master of(String[] words) {
            return new Master(words[0], words[EPOCH], ranges(words).toList());
        }
    }

    private static Set<Master> masters(RunningRedis node) {
        return lines(node).stream()
                .map(line -> line.split(" "))
                .filter(words -> words[FLAGS].contains("master") && !words[FLAGS].contains("fail"))
                .map(Master::of)
                .collect(Collectors.toSet());
    }

    /** Returns the slots of a node, without those that are being moved. */
    private static Stream<String> ranges(String[] words) {
        return Arrays.stream(words).skip(FIRST_RANGE).filter(range -> !range.startsWith("["));
    }

    /** Returns the id of a node within the cluster. */
    public static String idOf(RunningRedis node) {
        return node.command("CLUSTER", "MYID");
    }

    /** Returns all nodes; until the first failover, the masters come before the replicas. */
    public List<RunningRedis> nodes() {
        return List.copyOf(nodes);
    }

    /** Returns the master that serves a key, as reported by a running node. */
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
        return ranges(line.split(" "))
                .map(range -> range.split("-"))
                .anyMatch(range ->
                        Integer.parseInt(range[0]) <= slot && slot <= Integer.parseInt(range[range.length - 1]));
    }

    @Override
    public void close() {
        nodes.forEach(RunningServer::close);
    }
}
