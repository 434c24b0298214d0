package io.idem.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.servers.SharedServers;
import io.idem.servers.junit.RequiresMariaDb;
import io.idem.spi.IdempotencyStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

/** A listener in an application whose only store is the inbox of its MariaDB. */
@RequiresMariaDb
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("extended")
class InboxAloneMariaDbTest {

    private static final Duration BOUND = Duration.ofMinutes(2);

    private InboxDatabase database;
    private ConfigurableApplicationContext application;

    @BeforeAll
    void start() throws SQLException {
        database = InboxDatabase.in(SharedServers.mariaDb().orElseThrow());
        application = database.start(
                WebApplicationType.NONE,
                List.of(Application.class, Payments.class),
                "idem.max-attempts=3",
                "idem.backoff.first=10ms",
                "idem.backoff.longest=20ms");
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private void send(String key) {
        application.getBean(RabbitTemplate.class).convertAndSend("", database.name(), key, message -> {
            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, key);
            return message;
        });
    }

    private List<String> ledger(String entry) {
        return application
                .getBean(JdbcTemplate.class)
                .queryForList("SELECT entry FROM ledger WHERE entry = ?", String.class, entry);
    }

    private List<String> attempts(String entry) {
        return application.getBean(Payments.class).attempts().stream()
                .filter(attempt -> attempt.endsWith(entry))
                .toList();
    }

    private RecordState state(String key) {
        return application.getBean(IdempotencyStore.class).inspectAll(IdempotencyKey.of(key)).stream()
                .map(RecordSnapshot::state)
                .findFirst()
                .orElse(RecordState.ABSENT);
    }

    @Test
    void aDuplicateRunsOnce() {
        send("order-1");
        send("order-1");
        send("order-2");

        await().atMost(BOUND).until(() -> state("order-2") == RecordState.COMPLETED);
        assertThat(ledger("order-1")).hasSize(1);
        assertThat(attempts("order-1")).containsExactly("1 order-1");
    }

    @Test
    void aFailureIsRolledBackCountedAndRetried() {
        send("fails-once");

        await().atMost(BOUND).until(() -> state("fails-once") == RecordState.COMPLETED);
        assertThat(attempts("fails-once")).containsExactly("1 fails-once", "2 fails-once");
        assertThat(ledger("fails-once")).hasSize(1);
    }

    @Test
    void workThatAlwaysFailsEndsWithItsAttempts() {
        send("fails-always");
        send("order-3");

        await().atMost(BOUND).until(() -> attempts("fails-always").size() >= 3);
        await().atMost(BOUND).until(() -> state("order-3") == RecordState.COMPLETED);
        assertThat(attempts("fails-always")).hasSize(3);
        assertThat(ledger("fails-always")).isEmpty();
    }

    /** The application without its listener. */
    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Queue payments(Environment environment) {
            return new Queue(environment.getRequiredProperty("test.name"), false, false, true);
        }
    }

    /** Writes to the ledger, and fails as the text of the message says. */
    static class Payments {

        private final List<String> attempts = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;

        Payments(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        List<String> attempts() {
            return List.copyOf(attempts);
        }

        @RabbitListener(queues = "${test.name}")
        @IdempotentListener(scope = "payments")
        void pay(String entry, IdempotencyContext context) {
            attempts.add(context.attempt() + " " + entry);
            jdbc.update("INSERT INTO ledger VALUES (?)", entry);
            if (entry.equals("fails-always") || (entry.equals("fails-once") && context.attempt() == 1)) {
                throw new IllegalStateException("The bank is closed for " + entry);
            }
        }
    }
}
