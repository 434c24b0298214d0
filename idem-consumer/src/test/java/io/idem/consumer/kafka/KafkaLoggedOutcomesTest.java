package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.idem.Lease;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.LoggedLines;
import io.idem.servers.junit.LinesNameTheirRecord;
import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.annotation.KafkaListener;

/** One line for each outcome that is not ordinary, and loud only where a person has to act. */
@Tag("extended")
@ExtendWith(LinesNameTheirRecord.class)
class KafkaLoggedOutcomesTest {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(3);
    private static final String SUFFIX = "idem.consumer.kafka.dead-letter.topic-suffix";

    static class Payments {

        @KafkaListener(id = "payments", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE, rejectOn = IllegalArgumentException.class)
        void on(ConsumerRecord<String, String> record) {
            if (record.value().equals("poison")) {
                throw new IllegalArgumentException("no such account");
            }
        }
    }

    private static KafkaTestApplication.Builder payments() {
        return KafkaTestApplication.with(Payments.class).set("idem.consumer.in-place-wait", "100ms");
    }

    /** A first record, so that nothing of the start is logged any more. */
    private static void settle(KafkaTestApplication application) {
        application.send("k0", "zero");
        awaitCommitted(application, 1);
    }

    private static void awaitCommitted(KafkaTestApplication application, long count) {
        await().atMost(TIME_LIMIT).until(() -> application.committed() == count);
    }

    @Test
    void aDuplicateIsOneLineAtDebug() {
        try (KafkaTestApplication application = payments().start()) {
            settle(application);
            try (LoggedLines lines = new LoggedLines()) {
                application.send("k0", "zero");
                awaitCommitted(application, 2);

                assertThat(lines.loud()).isEmpty();
                assertThat(lines.ofIdem(Level.DEBUG))
                        .filteredOn(line -> line.contains("duplicate"))
                        .hasSize(1);
            }
        }
    }

    @Test
    void aDeferralIsALineAtDebug() {
        try (KafkaTestApplication application = payments().start()) {
            settle(application);
            Lease otherOwner = application.store().occupy("k1", SCOPE, Duration.ofMinutes(5));
            try (LoggedLines lines = new LoggedLines()) {
                application.send("k1", "one");
                await().atMost(TIME_LIMIT)
                        .until(() -> !application
                                .journal()
                                .events(ConsumerEvent.Deferred.class)
                                .isEmpty());
                application.store().fail(otherOwner, Duration.ZERO);
                awaitCommitted(application, 2);

                assertThat(lines.loud()).isEmpty();
                assertThat(lines.ofIdem(Level.DEBUG)).anyMatch(line -> line.contains("its partition is paused"));
            }
        }
    }

    @Test
    void aTakeoverIsOneLineAtInfo() {
        try (KafkaTestApplication application = payments().start()) {
            settle(application);
            var unused = application.store().occupy("k1", SCOPE, Duration.ofSeconds(1));
            try (LoggedLines lines = new LoggedLines()) {
                application.send("k1", "one");
                awaitCommitted(application, 2);

                assertThat(lines.loud()).hasSize(1).first().asString().contains("INFO", "taken over");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-dlt"})
    void aRejectionIsOneWarningWithoutAStackTrace(String suffix) {
        try (KafkaTestApplication application = start(suffix)) {
            settle(application);
            try (LoggedLines lines = new LoggedLines()) {
                application.send("k1", "poison");
                awaitCommitted(application, 2);

                assertThat(lines.loud())
                        .hasSize(1)
                        .first()
                        .asString()
                        .contains("WARN", "dead letter", "no such account")
                        .doesNotContain("WITH STACK");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-dlt"})
    void aMessageWithoutAKeyIsOneWarningWithoutAStackTrace(String suffix) {
        try (KafkaTestApplication application = start(suffix)) {
            settle(application);
            try (LoggedLines lines = new LoggedLines()) {
                application.sendAsItIs(new ProducerRecord<>(application.topic(), 0, null, "one"));
                awaitCommitted(application, 2);

                assertThat(lines.loud())
                        .hasSize(1)
                        .first()
                        .asString()
                        .contains("WARN", "dead letter", "key")
                        .doesNotContain("WITH STACK");
            }
        }
    }

    @Test
    void aDeadLetterThatTheBrokerDoesNotTakeIsAWarning() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Payments.class, RefusedLetters.class)
                .set(SUFFIX, "-dlt")
                .start()) {
            PublishedRecords.create(application.topic() + "-dlt");
            settle(application);
            try (LoggedLines lines = new LoggedLines()) {
                application.send("k1", "poison");
                awaitCommitted(application, 2);

                assertThat(lines.ofIdem(Level.WARN))
                        .anyMatch(line -> line.startsWith("The dead letter of Kafka record")
                                && line.contains("was not taken by the broker"));
            }
        }
    }

    private static KafkaTestApplication start(String suffix) {
        return (suffix.isEmpty() ? payments() : payments().set(SUFFIX, suffix)).start();
    }
}
