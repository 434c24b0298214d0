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

/** What happens to Redis, and to the connections to it. */
final class RedisFaults {

    /** Redis refuses writes when its memory is above this; it always is. */
    private static final String NO_MEMORY = "1mb";

    /** A script has no clock: it counts. */
    private static final String BUSY_LOOP = "for i = 1, tonumber(ARGV[1]) do end return 1";

    private static final int TURNS_OF_A_MILLISECOND = 60_000;

    /** In leases. */
    private static final int FARTHEST_JUMP = 5;

    private static final Duration FAILOVER = Duration.ofSeconds(30);

    private RedisFaults() {}

    private static RunningRedis server(Blow blow) {
        return blow.stage().singleRedis().server();
    }

    private static TcpProxy proxy(Blow blow) {
        return blow.stage().singleRedis().proxy();
    }

    /** SIGKILL, and the same data a moment later. */
    static String restart(Blow blow) {
        long millis = blow.millis(200, 3000);
        server(blow).kill();
        Pause.of(millis);
        server(blow).start();
        return "away for " + millis + " ms";
    }

    /** Everything in it is gone. */
    static String lose(Blow blow) {
        server(blow).command("FLUSHALL");
        Pause.of(blow.millis(300, 1000));
        return "FLUSHALL";
    }

    /** SIGSTOP. */
    static String freeze(Blow blow) {
        long millis = blow.millis(200, 2 * Stage.LEASE.toMillis());
        server(blow).freeze();
        Pause.of(millis);
        server(blow).thaw();
        return "frozen for " + millis + " ms";
    }

    /** Connections stay open and nothing passes. */
    static String blackHole(Blow blow) {
        long millis = blow.millis(200, 2 * Stage.LEASE.toMillis());
        proxy(blow).blackHole();
        Pause.of(millis);
        proxy(blow).pass();
        return "swallowed for " + millis + " ms";
    }

    /** A command is executed, its reply never arrives. */
    static String cutAfterExecution(Blow blow) {
        var lost = proxy(blow).loseReplyTo("EVALSHA");
        Waiting.until(Stage.LEASE, lost::isDone);
        Pause.of(blow.millis(20, 200));
        return lost.isDone() ? "reply lost" : "no script came by";
    }

    /** All connections are reset. */
    static String cut(Blow blow) {
        proxy(blow).cut();
        Pause.of(blow.millis(50, 500));
        return "reset";
    }

    /** No memory for new data. */
    static String full(Blow blow) {
        long millis = blow.millis(200, 3000);
        server(blow).command("CONFIG", "SET", "maxmemory", NO_MEMORY);
        Pause.of(millis);
        server(blow).command("CONFIG", "SET", "maxmemory", "0");
        return "full for " + millis + " ms";
    }

    /** The scripts are forgotten. */
    static String forgetScripts(Blow blow) {
        server(blow).command("SCRIPT", "FLUSH");
        Pause.of(blow.millis(50, 300));
        return "SCRIPT FLUSH";
    }

    /** Somebody's script holds everybody up. */
    static String slowScript(Blow blow) {
        long turns = blow.millis(200, 2000) * TURNS_OF_A_MILLISECOND;
        long start = System.nanoTime();
        server(blow).command("EVAL", BUSY_LOOP, "0", Long.toString(turns));
        return "busy for " + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms";
    }

    /** Its wall clock is ahead or behind by more than a lease, and then right again. */
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

    /** SIGKILL to the master of the Sentinels; it comes back as a replica. */
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

    /** A Sentinel that makes it a replica cuts its connections, also that of the question. */
    private static boolean follows(RunningRedis replica) {
        try {
            return replica.info("master_link_status").equals("up");
        } catch (UncheckedIOException cut) {
            return false;
        }
    }
}
