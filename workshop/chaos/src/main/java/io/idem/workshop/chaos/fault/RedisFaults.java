package io.idem.workshop.chaos.fault;

import io.idem.servers.RunningRedis;
import io.idem.servers.RunningSentinels;
import io.idem.servers.process.Waiting;
import io.idem.servers.proxy.TcpProxy;
import io.idem.workshop.chaos.stage.RedisSide;
import io.idem.workshop.chaos.stage.SettableClock;
import io.idem.workshop.chaos.stage.Stage;
import java.io.UncheckedIOException;
import java.time.Duration;

/** Faults of Redis and of the connections to it. */
final class RedisFaults {

    /** Memory limit that is always exceeded, so that Redis refuses writes. */
    private static final String NO_MEMORY = "1mb";

    /** Script that blocks Redis by counting, because scripts cannot measure time. */
    private static final String BUSY_LOOP = "for i = 1, tonumber(ARGV[1]) do end return 1";

    private static final int TURNS_OF_A_MILLISECOND = 60_000;

    /** Farthest jump of the clock in leases. */
    private static final int FARTHEST_JUMP = 5;

    private static final Duration FAILOVER = Duration.ofSeconds(30);

    private RedisFaults() {}

    private static RunningRedis server(Blow blow) {
        return blow.stage().singleRedis().server();
    }

    private static TcpProxy proxy(Blow blow) {
        return blow.stage().singleRedis().proxy();
    }

    /** Kills Redis with SIGKILL and starts it with its data a moment later. */
    static String restart(Blow blow) {
        long millis = blow.millis(200, 3000);
        server(blow).kill();
        Pause.of(millis);
        server(blow).start();
        return "away for " + millis + " ms";
    }

    /** Deletes all data. */
    static String lose(Blow blow) {
        server(blow).command("FLUSHALL");
        Pause.of(blow.millis(300, 1000));
        return "FLUSHALL";
    }

    /** Stops Redis with SIGSTOP for a while. */
    static String freeze(Blow blow) {
        long millis = blow.millis(200, 2 * Stage.LEASE.toMillis());
        server(blow).freeze();
        Pause.of(millis);
        server(blow).thaw();
        return "frozen for " + millis + " ms";
    }

    /** Keeps the connections open and holds back all traffic. */
    static String blackHole(Blow blow) {
        long millis = blow.millis(200, 2 * Stage.LEASE.toMillis());
        proxy(blow).blackHole();
        Pause.of(millis);
        proxy(blow).pass();
        return "swallowed for " + millis + " ms";
    }

    /** Drops the reply to a command that was executed. */
    static String cutAfterExecution(Blow blow) {
        var lost = proxy(blow).loseReplyTo("EVALSHA");
        Waiting.until(Stage.LEASE, lost::isDone);
        Pause.of(blow.millis(20, 200));
        return lost.isDone() ? "reply lost" : "no script came by";
    }

    static String cut(Blow blow) {
        proxy(blow).cut();
        Pause.of(blow.millis(50, 500));
        return "reset";
    }

    /** Lowers the memory limit for a while, so that Redis refuses new data. */
    static String full(Blow blow) {
        long millis = blow.millis(200, 3000);
        server(blow).command("CONFIG", "SET", "maxmemory", NO_MEMORY);
        Pause.of(millis);
        server(blow).command("CONFIG", "SET", "maxmemory", "0");
        return "full for " + millis + " ms";
    }

    /** Asks for a replica, which there is not, so that Redis refuses every write. */
    static String refuseWrites(Blow blow) {
        long millis = blow.millis(200, 2 * Stage.LEASE.toMillis());
        server(blow).command("CONFIG", "SET", "min-replicas-to-write", "1");
        Pause.of(millis);
        server(blow).command("CONFIG", "SET", "min-replicas-to-write", "0");
        return "no writes for " + millis + " ms";
    }

    /** Makes Redis a replica of nobody, with its data, and a master again. */
    static String demote(Blow blow) {
        long millis = blow.millis(200, 3000);
        server(blow).command("REPLICAOF", "127.0.0.1", "1");
        Pause.of(millis);
        server(blow).command("REPLICAOF", "NO", "ONE");
        return "a replica for " + millis + " ms";
    }

    /** Removes all scripts. */
    static String forgetScripts(Blow blow) {
        server(blow).command("SCRIPT", "FLUSH");
        Pause.of(blow.millis(50, 300));
        return "SCRIPT FLUSH";
    }

    /** Blocks Redis with a slow script of another client. */
    static String slowScript(Blow blow) {
        long turns = blow.millis(200, 2000) * TURNS_OF_A_MILLISECOND;
        long start = System.nanoTime();
        server(blow).command("EVAL", BUSY_LOOP, "0", Long.toString(turns));
        return "busy for " + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms";
    }

    /** Sets the wall clock ahead or back by more than a lease, and then right again. */
    static String jump(Blow blow) {
        SettableClock clock = ((RedisSide.Shifted) blow.stage().redis()).clock();
        long lease = Stage.LEASE.toMillis();
        long size = blow.millis(lease, FARTHEST_JUMP * lease);
        long millis = blow.number() % 2 == 0 ? size : -size;
        clock.shift(millis);
        Pause.of(blow.millis(200, 2 * lease));
        clock.shift(0);
        return "by " + millis + " ms and back";
    }

    /** Kills the master of the Sentinels with SIGKILL and restarts it as a replica. */
    static String failOver(Blow blow) {
        RunningSentinels group = ((RedisSide.Guarded) blow.stage().redis()).group();
        RunningRedis master = group.master();
        long start = System.nanoTime();
        master.kill();
        boolean replaced = Waiting.until(FAILOVER, () -> group.master() != master);
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        master.start();
        Waiting.until(FAILOVER, () -> follows(master));
        return replaced ? "replaced after " + millis + " ms" : "not replaced";
    }

    /**
     * Returns whether the replica is connected to its master. A Sentinel that makes a server a replica closes its
     * connections, maybe that of this call.
     */
    private static boolean follows(RunningRedis replica) {
        try {
            return replica.info("master_link_status").equals("up");
        } catch (UncheckedIOException cut) {
            return false;
        }
    }
}
