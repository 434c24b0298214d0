package io.idem.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The servers shared by all tests of a JVM, one of each kind, started on first use.
 *
 * <p>They end with the JVM, after its shutdown hooks have run, so clients that disconnect there still reach them. Tests
 * stay apart by their own names of key prefixes, queues, topics and schemas. No test may stop or kill a shared server:
 * for that there is {@link ServerOptions#own()}. Thread-safe.
 */
public final class SharedServers {

    private static final Lazy<RunningRedis> REDIS = new Lazy<>(() -> RedisServers.start(ServerOptions.any()));
    private static final Lazy<RunningPostgres> POSTGRES = new Lazy<>(() -> PostgresServers.start(ServerOptions.any()));
    private static final Lazy<RunningKafka> KAFKA = new Lazy<>(() -> KafkaServers.start(ServerOptions.any()));
    private static final Lazy<Optional<RunningAmqp>> RABBITMQ = new Lazy<>(AmqpServers::findRabbitMq);
    private static final Lazy<RunningAmqp> AMQP =
            new Lazy<>(() -> RABBITMQ.get().orElseGet(() -> AmqpServers.start(ServerOptions.any())));

    private static final Lazy<RunningZooKeeper> ZOOKEEPER = new Lazy<>(ZooKeeperServers::start);
    private static final Lazy<Optional<RunningMariaDb>> MARIADB = new Lazy<>(MariaDbServers::find);
    private static final Lazy<Optional<RunningMySql>> MYSQL = new Lazy<>(MySqlServers::find);

    private SharedServers() {}

    /** Returns the Redis of this JVM. Blocks while it starts. */
    public static RunningRedis redis() {
        return REDIS.get();
    }

    /** Returns the PostgreSQL of this JVM. Blocks while it starts. */
    public static RunningPostgres postgres() {
        return POSTGRES.get();
    }

    /** Returns the MariaDB of this JVM; empty if none is available. Blocks while it starts. */
    public static Optional<RunningMariaDb> mariaDb() {
        return MARIADB.get();
    }

    /** Returns the MySQL of this JVM; empty if none is available. Blocks while it starts. */
    public static Optional<RunningMySql> mySql() {
        return MYSQL.get();
    }

    /** Returns the AMQP broker of this JVM: RabbitMQ if there is one, else Qpid. Blocks while it starts. */
    public static RunningAmqp amqp() {
        return AMQP.get();
    }

    /** Returns the Kafka of this JVM. Blocks while it starts. */
    public static RunningKafka kafka() {
        return KAFKA.get();
    }

    /** Returns the ZooKeeper of this JVM. Blocks while it starts. */
    public static RunningZooKeeper zooKeeper() {
        return ZOOKEEPER.get();
    }

    static Optional<RunningAmqp> realRabbitMq() {
        return RABBITMQ.get();
    }

    /** Returns a line for each server started so far, with its product, address and origin. */
    public static List<String> report() {
        List<String> lines = new ArrayList<>();
        for (Lazy<? extends RunningServer> server : List.of(REDIS, POSTGRES, AMQP, KAFKA, ZOOKEEPER)) {
            server.peek().map(RunningServer::toString).ifPresent(lines::add);
        }
        return List.copyOf(lines);
    }
}
