package io.idem.benchmarks;

import io.idem.servers.AmqpServers;
import io.idem.servers.KafkaServers;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningKafka;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import java.util.Map;

/**
 * The servers of a run. Redis is the run's own: it keeps nothing on disk and is emptied between measurements. The AMQP broker is a given
 * RabbitMQ or else the embedded one.
 */
public record Servers(RunningRedis redis, RunningKafka kafka, RunningAmqp amqp) implements AutoCloseable {

    /** Starts them. */
    static Servers start() {
        return new Servers(
                RedisServers.start(ServerOptions.own()),
                KafkaServers.start(ServerOptions.own()),
                AmqpServers.start(ServerOptions.any()));
    }

    /** Where they are, as ordinary Spring settings. */
    public Map<String, Object> settings() {
        return Map.of(
                "spring.data.redis.url", redis.uri(),
                "spring.kafka.bootstrap-servers", kafka.bootstrapServers(),
                "spring.rabbitmq.host", amqp.host(),
                "spring.rabbitmq.port", amqp.port(),
                "spring.rabbitmq.username", amqp.username(),
                "spring.rabbitmq.password", amqp.password(),
                "spring.rabbitmq.virtual-host", amqp.virtualHost(),
                "spring.main.banner-mode", "off",
                "logging.level.root", "ERROR");
    }

    /** Stops them, as far as they are the run's own. */
    @Override
    public void close() {
        redis.close();
        kafka.close();
        amqp.close();
    }
}
