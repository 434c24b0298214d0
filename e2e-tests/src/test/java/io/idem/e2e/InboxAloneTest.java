package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.operations.DeadLetterRedriver;
import io.idem.servers.SharedServers;
import io.idem.spi.IdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import reactor.core.publisher.Mono;

/**
 * Listeners on RabbitMQ and Kafka in an application whose only store is the inbox of its PostgreSQL. Their annotations do
 * not ask for an inbox, and no Redis is named.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
class InboxAloneTest {

    private static final Duration BOUND = Duration.ofMinutes(2);

    private InboxDatabase database;
    private String name;
    private ConfigurableApplicationContext application;

    @BeforeAll
    void start() throws SQLException {
        database = InboxDatabase.in(SharedServers.postgres());
        name = database.name();
        application = start(Payments.class);
    }

    private ConfigurableApplicationContext start(Class<?> listeners, String... more) {
        return database.start(
                WebApplicationType.NONE,
                List.of(Application.class, listeners),
                database.kafka(Stream.concat(
                                Stream.of(
                                        "idem.max-attempts=3",
                                        "idem.backoff.first=10ms",
                                        "idem.backoff.longest=20ms",
                                        "idem.consumer.kafka.dead-letter.topic-suffix=.dead",
                                        "management.endpoints.web.exposure.include=idempotency"),
                                Stream.of(more))
                        .toArray(String[]::new)));
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
    void aRejectedMessageIsADeadLetterAndRunsWhenItIsRedriven() {
        RecordId record = new RecordId(IdempotencyKey.of("refused-kafka"), new Scope("kafka"));
        sendByKafka("refused-kafka");
        await().atMost(BOUND).until(() -> state("refused-kafka") == RecordState.REJECTED);
        sendByKafka("refused-kafka");
        sendByKafka("behind-refused-kafka");
        await().atMost(BOUND).until(() -> state("behind-refused-kafka") == RecordState.COMPLETED);
        assertThat(attempts("refused-kafka")).containsExactly(1);
        assertThat(ledger("refused-kafka")).isEmpty();

        application.getBean(Payments.class).acceptRefused();
        assertThat(application
                        .getBean(DeadLetterRedriver.class)
                        .redrive(
                                new DeadLetterRedriver.Order(record, name + ".dead", "kafka", 100),
                                "operator",
                                "the bank accepts it now")
                        .moved())
                .isTrue();

        await().atMost(BOUND).until(() -> state("refused-kafka") == RecordState.COMPLETED);
        assertThat(ledger("refused-kafka")).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource
    @Tag("extended")
    void aListenerThatCannotRunInTheRowsIsRefused(Class<?> listener, List<String> settings, List<String> words) {
        assertThatThrownBy(
                        () -> start(listener, settings.toArray(String[]::new)).close())
                .satisfies(failure -> assertThat(failure).hasStackTraceContaining(listener.getSimpleName() + ".pay"))
                .satisfies(failure ->
                        assertThat(words).allSatisfy(word -> assertThat(failure).hasStackTraceContaining(word)));
    }

    static Stream<Arguments> aListenerThatCannotRunInTheRowsIsRefused() {
        return Stream.of(
                argumentSet(
                        "a future", Later.class, List.of(), List.of("idem.store=inbox", "before the method returns")),
                argumentSet(
                        "a Mono", Reactive.class, List.of(), List.of("idem.store=inbox", "before the method returns")),
                argumentSet(
                        "a batch of RabbitMQ",
                        RabbitBatch.class,
                        List.of("spring.rabbitmq.listener.simple.consumer-batch-enabled=true"),
                        List.of("gets batches", "idem.store=inbox", "listen to single messages")),
                argumentSet(
                        "a batch of Kafka",
                        KafkaBatch.class,
                        List.of(),
                        List.of("gets batches", "idem.store=inbox", "listen to single messages")),
                argumentSet(
                        "Kafka's transactions",
                        InKafkaTransaction.class,
                        List.of("spring.kafka.producer.transaction-id-prefix=tx-"),
                        List.of("idem.store=inbox", "spring.kafka.producer.transaction-id-prefix")),
                argumentSet(
                        "a container's transactions",
                        InContainerTransaction.class,
                        List.of(),
                        List.of("idem.store=inbox", "Remove the transaction manager from the container factory")),
                argumentSet(
                        "a takeover of its own",
                        Rejecting.class,
                        List.of(),
                        List.of("Setting idem.takeover: reject of scope \"rejecting\"", "the attribute takeover")));
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
        private final AtomicBoolean refusing = new AtomicBoolean(true);
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

        void acceptRefused() {
            refusing.set(false);
        }

        @KafkaListener(topics = "${test.name}")
        @IdempotentListener(scope = "kafka", rejectOn = IllegalArgumentException.class)
        void ofKafka(String entry, IdempotencyContext context) {
            pay(entry, context);
        }

        private void pay(String entry, IdempotencyContext context) {
            attempts.add(new Attempt(entry, context.attempt()));
            jdbc.update("INSERT INTO ledger VALUES (?)", entry);
            boolean fails = entry.startsWith("always") || (entry.startsWith("once") && context.attempt() == 1);
            if (entry.startsWith("refused") && refusing.get()) {
                throw new IllegalArgumentException("The bank refuses " + entry);
            }
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

    /** Ends its work when its {@code Mono} does. */
    static class Reactive {

        @RabbitListener(queues = "${test.name}")
        @IdempotentListener(scope = "reactive")
        Mono<Void> pay(String entry) {
            return Mono.empty();
        }
    }

    /** Takes several messages of RabbitMQ at once. */
    static class RabbitBatch {

        @RabbitListener(queues = "${test.name}", batch = "true")
        @IdempotentListener(scope = "rabbit-batch")
        void pay(List<String> entries) {}
    }

    /** Takes several records of Kafka at once. */
    static class KafkaBatch {

        @KafkaListener(topics = "${test.name}", batch = "true")
        @IdempotentListener(scope = "kafka-batch")
        void pay(List<String> entries) {}
    }

    /** Is called inside a transaction of Kafka, and says which manager is the database's. */
    static class InKafkaTransaction {

        @Bean
        @Primary
        PlatformTransactionManager ofDatabase(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @KafkaListener(topics = "${test.name}")
        @IdempotentListener(scope = "kafka-transaction")
        void pay(String entry) {}
    }

    /** Is called inside a transaction that its container opens. */
    static class InContainerTransaction {

        @RabbitListener(queues = "${test.name}")
        @IdempotentListener(scope = "container-transaction")
        void pay(String entry) {}

        @Bean
        ContainerCustomizer<SimpleMessageListenerContainer> transactions(PlatformTransactionManager manager) {
            return container -> container.setTransactionManager(manager);
        }
    }

    /** Wants attempts of unknown outcome rejected. */
    static class Rejecting {

        @RabbitListener(queues = "${test.name}")
        @IdempotentListener(scope = "rejecting", takeover = "reject")
        void pay(String entry) {}
    }
}
