package io.idem.servers;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Servers in containers, if Testcontainers is on the class path and a Docker engine answers.
 *
 * <p>No class of Testcontainers is loaded before both are known, because without an engine it takes time and logs an
 * error. For the same reason there is no method reference to {@link Containers}: creating one loads the class, and with
 * it classes that may be missing.
 */
final class ContainerTier {

    private ContainerTier() {}

    static Optional<RunningRedis> redis() {
        return ifPossible("org.testcontainers.containers.GenericContainer", () -> Containers.redis());
    }

    static Optional<RunningAmqp> rabbitMq() {
        return ifPossible("org.testcontainers.rabbitmq.RabbitMQContainer", () -> Containers.rabbitMq());
    }

    static Optional<RunningKafka> kafka() {
        return ifPossible("org.testcontainers.kafka.KafkaContainer", () -> Containers.kafka());
    }

    static Optional<RunningPostgres> postgres() {
        return ifPossible("org.testcontainers.postgresql.PostgreSQLContainer", () -> Containers.postgres());
    }

    static Optional<RunningMariaDb> mariaDb() {
        return ifPossible("org.testcontainers.containers.GenericContainer", () -> Containers.mariaDb());
    }

    static Optional<RunningMySql> mySql() {
        return ifPossible("org.testcontainers.containers.GenericContainer", () -> Containers.mySql());
    }

    private static <S> Optional<S> ifPossible(String className, Supplier<S> start) {
        boolean possible = isPresent(className) && DockerEngine.ofThisMachine().answers();
        return possible ? Optional.of(start.get()) : Optional.empty();
    }

    static boolean isPresent(String className) {
        return ContainerTier.class.getResource("/" + className.replace('.', '/') + ".class") != null;
    }
}
