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
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The servers of a run. Redis is the run's own: it keeps nothing on disk and is emptied between measurements. Brokers start when somebody
 * first needs them, so that one that cannot start is the affair of its listeners only; the AMQP broker is a given RabbitMQ or else the
 * embedded one. Not thread-safe.
 */
public final class Servers implements AutoCloseable {

    /** Names the Redis server to Spring. */
    public static final String REDIS_URL = "spring.data.redis.url";

    /** Names a Redis Cluster to Spring. */
    public static final String CLUSTER_NODES = "spring.data.redis.cluster.nodes";

    private final RunningRedis redis = RedisServers.start(ServerOptions.own());
    private Optional<RunningKafka> kafka = Optional.empty();
    private Optional<RunningAmqp> amqp = Optional.empty();

    /** Its own for the run. */
    public RunningRedis redis() {
        return redis;
    }

    /** Its own for the run, started by the first who asks. */
    public RunningKafka kafka() {
        if (kafka.isEmpty()) {
            kafka = Optional.of(KafkaServers.start(ServerOptions.own()));
        }
        return kafka.orElseThrow();
    }

    /** Started by the first who asks. */
    public RunningAmqp amqp() {
        if (amqp.isEmpty()) {
            amqp = Optional.of(AmqpServers.start(ServerOptions.any()));
        }
        return amqp.orElseThrow();
    }

    /** What the AMQP broker is, if it was needed so far. */
    Optional<String> amqpDescription() {
        return amqp.map(RunningServer::description);
    }

    /** Where Redis is, as ordinary Spring settings, and what keeps applications quiet. */
    public Map<String, Object> settings() {
        return quietly(REDIS_URL, redis.uri());
    }

    /** The same with this cluster in place of the Redis. */
    public Map<String, Object> settings(RunningRedisCluster cluster) {
        return quietly(
                CLUSTER_NODES,
                cluster.nodes().stream()
                        .map(node -> node.host() + ":" + node.port())
                        .collect(Collectors.joining(",")));
    }

    private static Map<String, Object> quietly(String name, String value) {
        return new HashMap<>(Map.of(name, value, "spring.main.banner-mode", "off", "logging.level.root", "ERROR"));
    }

    /** Stops them, as far as they are the run's own. */
    @Override
    public void close() {
        Stream.of(Optional.of(redis), kafka, amqp).flatMap(Optional::stream).forEach(RunningServer::close);
    }
}
