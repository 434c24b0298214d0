package io.idem.servers;

import io.idem.servers.process.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Redis master, its replicas, and three Sentinels that promote a replica a second after the master stopped answering.
 * All are own processes on the loopback address. Thread-safe; methods block until done.
 */
public final class RunningSentinels implements AutoCloseable {

    /** Name of the master. */
    public static final String MASTER = "main";

    private static final int SENTINELS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<RunningRedis> servers = new ArrayList<>();
    private final List<RunningRedis> sentinels = new ArrayList<>();

    private RunningSentinels() {}

    static RunningSentinels start(RedisProgram program, int replicas) {
        RunningSentinels group = new RunningSentinels();
        try {
            group.startAll(program, replicas);
            return group;
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
    }

    private void startAll(RedisProgram program, int replicas) {
        ServerOptions options = ServerOptions.own().with("repl-diskless-sync-delay", "0");
        RunningRedis first = program.start(options);
        servers.add(first);
        for (int i = 0; i < replicas; i++) {
            RunningRedis replica = program.start(options);
            servers.add(replica);
            replica.command("REPLICAOF", "127.0.0.1", Integer.toString(first.port()));
        }
        await("replicas follow", () -> servers.stream().skip(1).allMatch(RunningSentinels::follows));
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(program.startSentinel(MASTER, first.port()));
        }
        await("Sentinels know each other", () -> sentinels.stream().allMatch(sentinel -> knows(sentinel, replicas)));
    }

    private static boolean follows(RunningRedis replica) {
        return replica.info("master_link_status").equals("up");
    }

    private static boolean knows(RunningRedis sentinel, int replicas) {
        List<String> facts =
                sentinel.command("SENTINEL", "MASTER", MASTER).lines().toList();
        return fact(facts, "num-slaves").equals(Integer.toString(replicas))
                && fact(facts, "num-other-sentinels").equals(Integer.toString(SENTINELS - 1));
    }

    private static String fact(List<String> facts, String name) {
        int at = facts.indexOf(name);
        return at < 0 ? "" : facts.get(at + 1);
    }

    static void await(String what, BooleanSupplier condition) {
        if (!Waiting.until(PATIENCE, condition)) {
            throw new IllegalStateException("Not within " + PATIENCE.toSeconds() + " s: " + what);
        }
    }

    /** Returns the master and the replicas, in any order. */
    public List<RunningRedis> servers() {
        return List.copyOf(servers);
    }

    public List<RunningRedis> sentinels() {
        return List.copyOf(sentinels);
    }

    /** Returns the server that the Sentinels report as the master. */
    public RunningRedis master() {
        String address = sentinels.get(0).command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER);
        int port = Integer.parseInt(address.lines().skip(1).findFirst().orElseThrow());
        return servers.stream()
                .filter(server -> server.port() == port)
                .findFirst()
                .orElseThrow();
    }

    /** Returns {@code redis-sentinel://host:port,…#master}. */
    public String uri() {
        return sentinels.stream()
                .map(sentinel -> sentinel.host() + ":" + sentinel.port())
                .collect(Collectors.joining(",", "redis-sentinel://", "#" + MASTER));
    }

    @Override
    public void close() {
        Stream.concat(sentinels.stream(), servers.stream()).forEach(RunningServer::close);
    }
}
