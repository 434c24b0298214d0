package io.idem.demo.supervisor;

import io.idem.servers.AmqpServers;
import io.idem.servers.KafkaServers;
import io.idem.servers.PostgresServers;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningAmqp.Flavour;
import io.idem.servers.RunningKafka;
import io.idem.servers.RunningPostgres;
import io.idem.servers.RunningRedis;
import io.idem.servers.RunningServer;
import io.idem.servers.ServerOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The demo's own servers.
 *
 * @param redis null in a demo without Redis
 */
record Servers(@Nullable RunningRedis redis, RunningAmqp amqp, RunningKafka kafka, RunningPostgres postgres)
        implements AutoCloseable {

    /**
     * Starts the servers in parallel and returns when all accept clients. Redis is started with {@code redisOptions};
     * there is none if they are null.
     */
    static Servers start(@Nullable ServerOptions redisOptions) {
        CompletableFuture<@Nullable RunningRedis> redis = redisOptions == null
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.supplyAsync(() -> RedisServers.start(redisOptions));
        var amqp = CompletableFuture.supplyAsync(() -> AmqpServers.start(ServerOptions.own()));
        var kafka = CompletableFuture.supplyAsync(() -> KafkaServers.start(ServerOptions.own()));
        var postgres = CompletableFuture.supplyAsync(() -> PostgresServers.start(ServerOptions.own()));
        return new Servers(redis.join(), amqp.join(), kafka.join(), postgres.join());
    }

    /** Returns the addresses of the servers as Spring settings. */
    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (redis != null) {
            settings.put("spring.data.redis.url", redis.uri());
        }
        settings.put("spring.rabbitmq.host", amqp.host());
        settings.put("spring.rabbitmq.port", Integer.toString(amqp.port()));
        settings.put("spring.rabbitmq.username", amqp.username());
        settings.put("spring.rabbitmq.password", amqp.password());
        settings.put("spring.rabbitmq.virtual-host", amqp.virtualHost());
        settings.put("spring.kafka.bootstrap-servers", kafka.bootstrapServers());
        settings.put("spring.datasource.url", postgres.jdbcUrl());
        settings.put("spring.datasource.username", postgres.user());
        settings.put("spring.datasource.password", postgres.password());
        if (amqp.flavour() == Flavour.QPID) {
            settings.put("demo.amqp-dialect", "qpid");
        }
        return settings;
    }

    List<RunningServer> all() {
        return Stream.of(redis, amqp, kafka, postgres).filter(Objects::nonNull).toList();
    }

    @Override
    public void close() {
        all().parallelStream().forEach(RunningServer::close);
    }
}
