package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningPostgres;
import io.idem.servers.SharedServers;
import io.idem.spi.IdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;

/**
 * Listeners on RabbitMQ and Kafka in an application whose only store is the inbox of its PostgreSQL. Their annotations do
 * not ask for an inbox, and no Redis is named.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InboxAloneTest {

    private static final Duration BOUND = Duration.ofMinutes(2);

    private final String name = "inbox_" + UUID.randomUUID().toString().replace("-", "");
    private ConfigurableApplicationContext application;

    @BeforeAll
    void start() throws SQLException {
        RunningPostgres postgres = SharedServers.postgres();
        try (Connection connection =
                DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password())) {
            connection.createStatement().execute("CREATE SCHEMA " + name);
            connection.createStatement().execute("CREATE TABLE " + name + ".ledger (entry text NOT NULL)");
        }
        application = start(Payments.class);
    }

    private ConfigurableApplicationContext start(Class<?> listeners) {
        RunningAmqp broker = SharedServers.amqp();
        RunningPostgres postgres = SharedServers.postgres();
        String separator = postgres.jdbcUrl().contains("?") ? "&" : "?";
        return new SpringApplicationBuilder(Application.class, listeners)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.rabbitmq.host=" + broker.host(),
                        "spring.rabbitmq.port=" + broker.port(),
                        "spring.rabbitmq.username=" + broker.username(),
                        "spring.rabbitmq.password=" + broker.password(),
                        "spring.rabbitmq.virtual-host=" + broker.virtualHost(),
                        "spring.kafka.bootstrap-servers="
                                + SharedServers.kafka().bootstrapServers(),
                        "spring.kafka.consumer.group-id=" + name,
                        "spring.kafka.consumer.auto-offset-reset=earliest",
                        "spring.datasource.url=" + postgres.jdbcUrl() + separator + "currentSchema=" + name,
                        "spring.datasource.username=" + postgres.user(),
                        "spring.datasource.password=" + postgres.password(),
                        "idem.store=inbox",
                        "idem.jdbc.initialize-schema=always",
                        "idem.max-attempts=3",
                        "idem.backoff.first=10ms",
                        "idem.backoff.longest=20ms",
                        "test.name=" + name)
                .run();
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private void sendByRabbit(String key) {
        application.getBean(RabbitTemplate.class).convertAndSend("", name, key, message -> {
            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, key);
            return message;
        });
    }

    private void sendByKafka(String key) {
        ProducerRecord<String, String> record = new ProducerRecord<>(name, key);
        record.headers().add(IdempotencyHeaders.KEY, key.getBytes(StandardCharsets.UTF_8));
        @SuppressWarnings("unchecked")
        KafkaTemplate<String, String> template = application.getBean(KafkaTemplate.class);
        template.send(record).join();
    }

    private List<String> ledger(String entry) {
        return application
                .getBean(JdbcTemplate.class)
                .queryForList("SELECT entry FROM ledger WHERE entry = ?", String.class, entry);
    }

    private List<Integer> attempts(String entry) {
        return application.getBean(Payments.class).attempts().stream()
                .filter(one -> one.entry().equals(entry))
                .map(Attempt::number)
                .toList();
    }

    private RecordState state(String key) {
        return application.getBean(IdempotencyStore.class).inspectAll(IdempotencyKey.of(key)).stream()
                .map(RecordSnapshot::state)
                .findFirst()
                .orElse(RecordState.ABSENT);
    }

    @Test
    void aDuplicateOnRabbitRunsOnce() {
        sendByRabbit("rabbit-1");
        sendByRabbit("rabbit-1");
        sendByRabbit("rabbit-2");

        await().atMost(BOUND).until(() -> state("rabbit-2") == RecordState.COMPLETED);
        assertThat(ledger("rabbit-1")).hasSize(1);
        assertThat(attempts("rabbit-1")).containsExactly(1);
    }

    @Test
    void aDuplicateOnKafkaRunsOnce() {
        sendByKafka("kafka-1");
        sendByKafka("kafka-1");
        sendByKafka("kafka-2");

        await().atMost(BOUND).until(() -> state("kafka-2") == RecordState.COMPLETED);
        assertThat(ledger("kafka-1")).hasSize(1);
        assertThat(attempts("kafka-1")).containsExactly(1);
    }

    @Test
    void aFailureIsRetriedAndCounted() {
        sendByRabbit("once-rabbit");
        sendByKafka("once-kafka");

        await().atMost(BOUND)
                .until(() ->
                        state("once-rabbit") == RecordState.COMPLETED && state("once-kafka") == RecordState.COMPLETED);
        assertThat(attempts("once-rabbit")).containsExactly(1, 2);
        assertThat(attempts("once-kafka")).containsExactly(1, 2);
        assertThat(ledger("once-rabbit")).hasSize(1);
        assertThat(ledger("once-kafka")).hasSize(1);
    }

    @Test
    void workThatAlwaysFailsEndsWithItsAttempts() {
        sendByRabbit("always-rabbit");
        sendByRabbit("after-rabbit");

        await().atMost(BOUND).until(() -> attempts("always-rabbit").size() >= 3);
        await().atMost(BOUND).until(() -> state("after-rabbit") == RecordState.COMPLETED);
        assertThat(attempts("always-rabbit")).containsExactly(1, 2, 3);
        assertThat(ledger("always-rabbit")).isEmpty();
    }

    @Test
    void anAsynchronousListenerIsRefusedByName() {
        assertThatThrownBy(() -> start(Later.class).close())
                .isInstanceOf(ListenerConfigurationException.class)
                .hasStackTraceContaining("Later.pay")
                .hasStackTraceContaining("with idem.store=inbox all work runs inside a transaction");
    }

    /** The application without its listeners. */
    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Queue payments(Environment environment) {
            return new Queue(environment.getRequiredProperty("test.name"), false, false, true);
        }
    }

    /** An attempt at a payment. */
    record Attempt(String entry, int number) {}

    /** Writes to the ledger, and fails as the text of the message says. */
    static class Payments {

        private final CopyOnWriteArrayList<Attempt> attempts = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;

        Payments(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        List<Attempt> attempts() {
            return List.copyOf(attempts);
        }

        @RabbitListener(queues = "${test.name}")
        @IdempotentListener(scope = "rabbit")
        void ofRabbit(String entry, IdempotencyContext context) {
            pay(entry, context);
        }

        @KafkaListener(topics = "${test.name}")
        @IdempotentListener(scope = "kafka")
        void ofKafka(String entry, IdempotencyContext context) {
            pay(entry, context);
        }

        private void pay(String entry, IdempotencyContext context) {
            attempts.add(new Attempt(entry, context.attempt()));
            jdbc.update("INSERT INTO ledger VALUES (?)", entry);
            boolean fails = entry.startsWith("always") || (entry.startsWith("once") && context.attempt() == 1);
            if (fails) {
                throw new IllegalStateException("The bank is closed for " + entry);
            }
        }
    }

    /** Ends its work after its return. */
    static class Later {

        @RabbitListener(queues = "${test.name}")
        @IdempotentListener(scope = "later")
        CompletableFuture<Void> pay(String entry) {
            return CompletableFuture.completedFuture(null);
        }
    }
}
