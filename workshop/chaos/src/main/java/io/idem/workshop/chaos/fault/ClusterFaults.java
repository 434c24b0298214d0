package io.idem.workshop.chaos.fault;

import io.idem.servers.RunningRedis;
import io.idem.servers.RunningRedisCluster;
import io.idem.servers.process.Waiting;
import io.idem.workshop.chaos.stage.RedisSide;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Faults of a cluster of Redis servers. */
final class ClusterFaults {

    private static final int SLOTS = 20;
    private static final int MOST_KEYS = 1000;
    private static final String MIGRATE_MILLIS = "5000";
    private static final Duration FAILOVER = Duration.ofSeconds(30);
    private static final Duration AGREEMENT = Duration.ofSeconds(30);

    private ClusterFaults() {}

    private static RunningRedisCluster cluster(Blow blow) {
        return ((RedisSide.Spread) blow.stage().redis()).cluster();
    }

    /** Kills the master of some slots with SIGKILL and restarts it as a replica. */
    static String failOver(Blow blow) {
        RunningRedisCluster cluster = cluster(blow);
        String key = "{" + blow.random().nextInt() + "}";
        RunningRedis master = cluster.masterOf(key);
        long start = System.nanoTime();
        master.kill();
        boolean replaced = Waiting.until(FAILOVER, () -> !cluster.masterOf(key).equals(master));
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        master.start();
        Waiting.until(FAILOVER, () -> master.info("master_link_status").equals("up"));
        return replaced ? "replaced after " + millis + " ms" : "not replaced";
    }

    /**
     * Moves slots with records from one master to another, record by record. Each move waits until all nodes agree
     * about the previous one: otherwise two masters may take the same epoch, and the order of their messages decides
     * who owns the slots that moved in between.
     */
    static String moveSlots(Blow blow) {
        RunningRedisCluster cluster = cluster(blow);
        List<RunningRedis> masters = cluster.nodes().stream()
                .filter(node -> node.info("role").equals("master"))
                .toList();
        int moved = 0;
        for (int turn = 0; turn < SLOTS; turn++) {
            RunningRedis from = masters.get(blow.random().nextInt(masters.size()));
            RunningRedis to = masters.get((masters.indexOf(from) + 1) % masters.size());
            String key = from.command("RANDOMKEY");
            if (!key.isEmpty() && cluster.masterOf(key).equals(from)) {
                move(from.command("CLUSTER", "KEYSLOT", key), from, to, masters);
                moved++;
                if (!Waiting.until(AGREEMENT, cluster::agrees)) {
                    return moved + " slots, and then the nodes did not agree";
                }
            }
        }
        return moved + " slots";
    }

    private static void move(String slot, RunningRedis from, RunningRedis to, List<RunningRedis> masters) {
        to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", RunningRedisCluster.idOf(from));
        from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", RunningRedisCluster.idOf(to));
        for (String keys = keysIn(slot, from); !keys.isEmpty(); keys = keysIn(slot, from)) {
            keys.lines().forEach(key -> from.command("MIGRATE", "127.0.0.1", "" + to.port(), key, "0", MIGRATE_MILLIS));
        }
        // The new master first: otherwise no master owns the slot for a moment.
        Stream.concat(Stream.of(to), masters.stream().filter(master -> !master.equals(to)))
                .forEach(master -> master.command("CLUSTER", "SETSLOT", slot, "NODE", RunningRedisCluster.idOf(to)));
    }

    private static String keysIn(String slot, RunningRedis node) {
        return node.command("CLUSTER", "GETKEYSINSLOT", slot, Integer.toString(MOST_KEYS));
    }
}
