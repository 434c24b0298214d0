package io.idem.workshop.chaos.stage;

import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.RunningRedisCluster;
import io.idem.servers.RunningSentinels;
import io.idem.servers.ServerOptions;
import io.idem.servers.proxy.TcpProxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The Redis of a stage, as a single server, a Sentinel group or a cluster; or none. */
public sealed interface RedisSide extends AutoCloseable {

    /** Returns the settings with which applications connect. */
    Map<String, String> settings();

    /** Returns the kind and version of the server. */
    String version();

    /** Returns the servers, one for each process of Redis. */
    List<RunningRedis> servers();

    @Override
    void close();

    /** No Redis, where the inbox is the store. */
    record None() implements RedisSide {

        @Override
        public Map<String, String> settings() {
            return Map.of();
        }

        @Override
        public String version() {
            return "no Redis";
        }

        @Override
        public List<RunningRedis> servers() {
            return List.of();
        }

        @Override
        public void close() {}
    }

    /** A single server behind a proxy, with an append-only file that is synced with every write. */
    record Single(RunningRedis server, TcpProxy proxy) implements RedisSide {

        /** Starts a server and its proxy. */
        public static Single start() {
            RunningRedis server = RedisServers.start(ServerOptions.own().keepingData());
            return new Single(server, TcpProxy.to(server.host(), server.port()));
        }

        @Override
        public Map<String, String> settings() {
            return Map.of("spring.data.redis.url", "redis://" + proxy.host() + ":" + proxy.port());
        }

        @Override
        public String version() {
            return "Redis " + server.info("redis_version") + " (appendfsync always)";
        }

        @Override
        public List<RunningRedis> servers() {
            return List.of(server);
        }

        @Override
        public void close() {
            proxy.close();
            server.close();
        }
    }

    /** A single server, dynamically linked, whose clock can be set. */
    record Shifted(RunningRedis server, SettableClock clock) implements RedisSide {

        /** Environment variable that names the program of the server. */
        public static final String PROGRAM = "IDEM_CHAOS_VALKEY";

        private static final long AN_HOUR = 3_600;
        private static final String CLOCK = "return redis.call('TIME')[1]";

        /** Returns why no such server can run on this machine; empty if it can. */
        public static Optional<String> hindrance() {
            return program().isEmpty()
                    ? Optional.of("no Valkey here that is linked dynamically")
                    : SettableClock.hindrance();
        }

        private static Optional<Path> program() {
            return Optional.ofNullable(System.getenv(PROGRAM)).map(Path::of);
        }

        /** Starts a server and checks that scripts read the settable clock. */
        public static Shifted start() {
            SettableClock clock = SettableClock.make();
            RunningRedis server = RedisServers.start(program().orElseThrow(), clock.environment(), ServerOptions.own());
            long before = seconds(server);
            clock.shift(TimeUnit.SECONDS.toMillis(AN_HOUR));
            boolean ahead = seconds(server) >= before + AN_HOUR;
            clock.shift(0);
            if (!ahead) {
                server.close();
                throw new IllegalStateException("The clock of " + server + " cannot be set");
            }
            return new Shifted(server, clock);
        }

        private static long seconds(RunningRedis server) {
            return Long.parseLong(server.command("EVAL", CLOCK, "0"));
        }

        @Override
        public Map<String, String> settings() {
            return Map.of("spring.data.redis.url", server.uri());
        }

        @Override
        public String version() {
            return "Valkey " + server.info("valkey_version") + " (with a clock that is set)";
        }

        @Override
        public List<RunningRedis> servers() {
            return List.of(server);
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /** A master, two replicas and three Sentinels. */
    record Guarded(RunningSentinels group) implements RedisSide {

        private static final int REPLICAS = 2;

        public static Guarded start() {
            return new Guarded(RedisServers.startSentinels(REPLICAS));
        }

        @Override
        public Map<String, String> settings() {
            return Map.of(
                    "spring.data.redis.sentinel.master",
                    RunningSentinels.MASTER,
                    "spring.data.redis.sentinel.nodes",
                    group.sentinels().stream()
                            .map(sentinel -> sentinel.host() + ":" + sentinel.port())
                            .collect(Collectors.joining(",")));
        }

        @Override
        public String version() {
            return "Redis " + group.master().info("redis_version") + " (Sentinel, " + REPLICAS + " replicas)";
        }

        @Override
        public List<RunningRedis> servers() {
            return group.servers();
        }

        @Override
        public void close() {
            group.close();
        }
    }

    /** A cluster of three masters, each with a replica. */
    record Spread(RunningRedisCluster cluster) implements RedisSide {

        public static Spread start() {
            return new Spread(RedisServers.startCluster(1));
        }

        @Override
        public Map<String, String> settings() {
            return Map.of(
                    "spring.data.redis.cluster.nodes",
                    cluster.nodes().stream()
                            .map(node -> node.host() + ":" + node.port())
                            .collect(Collectors.joining(",")));
        }

        @Override
        public String version() {
            return "Redis " + cluster.nodes().get(0).info("redis_version") + " (cluster, a replica for each master)";
        }

        @Override
        public List<RunningRedis> servers() {
            return cluster.nodes();
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
