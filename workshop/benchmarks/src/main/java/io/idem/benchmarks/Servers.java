package io.idem.benchmarks;

import io.idem.servers.AmqpServers;
import io.idem.servers.KafkaServers;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningKafka;
import io.idem.servers.RunningRedis;
import io.idem.servers.RunningRedisCluster;
import io.idem.servers.RunningServer;
import io.idem.servers.ServerOptions;
import io.idem.servers.ZooKeeperEnsemble;
import io.idem.servers.ZooKeeperServers;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The servers of a run. Redis is started for the run; it keeps nothing on disk and is emptied between measurements.
 * Brokers start on first use, so that a broker that cannot start affects its listeners only. The AMQP broker is a
 * configured RabbitMQ, or else the embedded one. Not thread-safe.
 */
public final class Servers implements AutoCloseable {

    /** The Spring setting with the address of the Redis server. */
    public static final String REDIS_URL = "spring.data.redis.url";

    /** The Spring setting with the nodes of a Redis Cluster. */
    public static final String CLUSTER_NODES = "spring.data.redis.cluster.nodes";

    private final RunningRedis redis = RedisServers.start(ServerOptions.own());
    private Optional<RunningKafka> kafka = Optional.empty();
    private Optional<RunningAmqp> amqp = Optional.empty();
    private Optional<ZooKeeperEnsemble> zooKeeper = Optional.empty();

    /** Returns the Redis server of this run. */
    public RunningRedis redis() {
        return redis;
    }

    /** Returns the Kafka server of this run, which starts with the first call. */
    public RunningKafka kafka() {
        if (kafka.isEmpty()) {
            kafka = Optional.of(KafkaServers.start(ServerOptions.own()));
        }
        return kafka.orElseThrow();
    }

    /** Returns the AMQP broker, which starts with the first call. */
    public RunningAmqp amqp() {
        if (amqp.isEmpty()) {
            amqp = Optional.of(AmqpServers.start(ServerOptions.any()));
        }
        return amqp.orElseThrow();
    }

    /** Returns the three ZooKeeper servers of this run, which start with the first call and sync to disk. */
    public ZooKeeperEnsemble zooKeeper() {
        if (zooKeeper.isEmpty()) {
            zooKeeper = Optional.of(ZooKeeperServers.syncedEnsemble(3));
        }
        return zooKeeper.orElseThrow();
    }

    /** Returns a description of the AMQP broker; empty if no suite has needed it so far. */
    Optional<String> amqpDescription() {
        return amqp.map(RunningServer::description);
    }

    /** Returns Spring settings with the address of Redis for an application without a database, quiet but for errors. */
    public Map<String, Object> settings() {
        return quietly(REDIS_URL, redis.uri());
    }

    /** Returns Spring settings with the nodes of a Redis Cluster for an application without a database, as above. */
    public Map<String, Object> settings(RunningRedisCluster cluster) {
        return quietly(
                CLUSTER_NODES,
                cluster.nodes().stream()
                        .map(node -> node.host() + ":" + node.port())
                        .collect(Collectors.joining(",")));
    }

    /** Returns Spring settings as {@link #settings()} for an application with a database. */
    public Map<String, Object> settingsWithDatabase() {
        Map<String, Object> settings = settings();
        settings.put(Exclusions.SETTING, Exclusions.of(Exclusions.MODULITH));
        return settings;
    }

    private static Map<String, Object> quietly(String name, String value) {
        return new HashMap<>(Map.of(
                name,
                value,
                "spring.main.banner-mode",
                "off",
                "logging.level.root",
                "ERROR",
                Exclusions.SETTING,
                Exclusions.of(Exclusions.DATA_SOURCE, Exclusions.MODULITH)));
    }

    /** Returns the processes of the servers that run as own processes, and this one. */
    public Set<Long> runningWith(long other) {
        return Stream.concat(
                        Stream.of(other),
                        running().flatMap(server -> server.pid().stream().boxed()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private Stream<RunningServer> running() {
        return Stream.concat(
                Stream.of(Optional.of(redis), kafka, amqp).flatMap(Optional::stream),
                zooKeeper.stream().flatMap(ensemble -> ensemble.members().stream()));
    }

    /** Stops the servers that were started for this run. */
    @Override
    public void close() {
        running().forEach(RunningServer::close);
    }
}
