package io.idem.servers;

import java.net.URI;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.rabbitmq.RabbitMQContainer;

/** Starts servers through Testcontainers, which removes them when the JVM is gone. */
final class Containers {

    private static final int MARIADB_PORT = 3306;
    private static final int MYSQL_PORT = 3306;
    private static final int REDIS_PORT = 6379;

    private Containers() {}

    static RunningRedis redis() {
        GenericContainer<?> container = redisContainer();
        container.start();
        URI uri = URI.create("redis://" + container.getHost() + ":" + container.getMappedPort(REDIS_PORT));
        return new RunningRedis(uri, Origin.CONTAINER, new ForeignLifecycle(container::stop));
    }

    static RunningAmqp rabbitMq() {
        RabbitMQContainer container = rabbitMqContainer();
        container.start();
        AmqpAddress address = new AmqpAddress(
                container.getHost(),
                container.getAmqpPort(),
                container.getAdminUsername(),
                container.getAdminPassword(),
                "/");
        return new RunningAmqp(
                address, AmqpProduct.ask(address), Origin.CONTAINER, new ForeignLifecycle(container::stop));
    }

    static RunningKafka kafka() {
        KafkaContainer container = kafkaContainer();
        container.start();
        return new RunningKafka(
                container.getBootstrapServers(), Origin.CONTAINER, new ForeignLifecycle(container::stop));
    }

    static RunningPostgres postgres() {
        PostgreSQLContainer container = postgresContainer();
        container.start();
        return new RunningPostgres(
                container.getJdbcUrl(),
                container.getUsername(),
                container.getPassword(),
                Origin.CONTAINER,
                new ForeignLifecycle(container::stop));
    }

    static RunningMariaDb mariaDb() {
        GenericContainer<?> container = mariaDbContainer();
        container.start();
        return new RunningMariaDb(
                "jdbc:mariadb://" + container.getHost() + ":" + container.getMappedPort(MARIADB_PORT) + "/",
                "root",
                "",
                Origin.CONTAINER,
                new ForeignLifecycle(container::stop));
    }

    static RunningMySql mySql() {
        GenericContainer<?> container = mySqlContainer();
        container.start();
        return new RunningMySql(
                "jdbc:mysql://" + container.getHost() + ":" + container.getMappedPort(MYSQL_PORT) + "/",
                "root",
                "",
                Origin.CONTAINER,
                new ForeignLifecycle(container::stop));
    }

    static GenericContainer<?> redisContainer() {
        return new GenericContainer<>(ContainerImages.REDIS)
                .withExposedPorts(REDIS_PORT)
                .withCommand("redis-server", "--save", "", "--appendonly", "no")
                .waitingFor(Wait.forListeningPort());
    }

    /**
     * Returns a MariaDB container that is ready after its second start; the first one, without a network, creates the
     * tables.
     */
    static GenericContainer<?> mariaDbContainer() {
        return new GenericContainer<>(ContainerImages.MARIADB)
                .withExposedPorts(MARIADB_PORT)
                .withEnv("MARIADB_ALLOW_EMPTY_ROOT_PASSWORD", "1")
                .waitingFor(Wait.forLogMessage(".*port: 3306.*", 1));
    }

    /**
     * Returns a MySQL container that is ready after its second start; the first one, without a network, creates the
     * tables.
     */
    static GenericContainer<?> mySqlContainer() {
        return new GenericContainer<>(ContainerImages.MYSQL)
                .withExposedPorts(MYSQL_PORT)
                .withEnv("MYSQL_ALLOW_EMPTY_PASSWORD", "1")
                // The space tells this port from 33060, of MySQL's other protocol.
                .waitingFor(Wait.forLogMessage(".*port: 3306 .*", 1));
    }

    static RabbitMQContainer rabbitMqContainer() {
        return new RabbitMQContainer(ContainerImages.RABBITMQ);
    }

    static KafkaContainer kafkaContainer() {
        return new KafkaContainer(ContainerImages.KAFKA);
    }

    static PostgreSQLContainer postgresContainer() {
        return new PostgreSQLContainer(ContainerImages.POSTGRES);
    }
}
