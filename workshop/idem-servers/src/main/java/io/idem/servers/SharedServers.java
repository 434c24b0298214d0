package io.idem.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One server of each kind for all tests of a JVM, started when first asked for.
 *
 * <p>They end with the JVM, after its shutdown hooks have run: clients that say goodbye there still find them. Users keep
 * out of each other's way by names of their own (key prefixes, queues, topics, schemas). Nobody may stop or kill them: for
 * that there is {@link ServerOptions#own()}. Thread-safe.
 */
public final class SharedServers {

    private static final Lazy<RunningRedis> REDIS = new Lazy<>(() -> RedisServers.start(ServerOptions.any()));
    private static final Lazy<RunningPostgres> POSTGRES = new Lazy<>(() -> PostgresServers.start(ServerOptions.any()));
    private static final Lazy<RunningKafka> KAFKA = new Lazy<>(() -> KafkaServers.start(ServerOptions.any()));
    private static final Lazy<Optional<RunningAmqp>> RABBITMQ = new Lazy<>(AmqpServers::findRabbitMq);
    private static final Lazy<RunningAmqp> AMQP =
            new Lazy<>(() -> RABBITMQ.get().orElseGet(() -> AmqpServers.start(ServerOptions.any())));

    private static final Lazy<Optional<RunningMariaDb>> MARIADB = new Lazy<>(MariaDbServers::find);

    private SharedServers() {}

    /** The Redis of this JVM. Blocks while it starts. */
    public static RunningRedis redis() {
        return REDIS.get();
    }

    /** The PostgreSQL of this JVM. Blocks while it starts. */
    public static RunningPostgres postgres() {
        return POSTGRES.get();
    }

    /** The MariaDB of this JVM; empty where none can be had. Blocks while it starts. */
    public static Optional<RunningMariaDb> mariaDb() {
        return MARIADB.get();
    }

    /** The AMQP broker of this JVM: RabbitMQ where there is one, else Qpid. Blocks while it starts. */
    public static RunningAmqp amqp() {
        return AMQP.get();
    }

    /** The Kafka of this JVM. Blocks while it starts. */
    public static RunningKafka kafka() {
        return KAFKA.get();
    }

    static Optional<RunningAmqp> realRabbitMq() {
        return RABBITMQ.get();
    }

    /** One line for each server started so far: what, where, and which choice was taken. */
    public static List<String> report() {
        List<String> lines = new ArrayList<>();
        for (Lazy<? extends RunningServer> server : List.of(REDIS, POSTGRES, AMQP, KAFKA)) {
            server.peek().map(RunningServer::toString).ifPresent(lines::add);
        }
        return List.copyOf(lines);
    }
}
