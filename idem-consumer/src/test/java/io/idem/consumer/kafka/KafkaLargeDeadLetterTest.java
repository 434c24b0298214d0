package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.LoggedLines;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import io.idem.consumer.kafka.deadletter.KafkaDeadLetterWriter;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.annotation.KafkaListener;

/** Dead letters that are larger than the producer's limit, although their records were not. */
@Tag("servers")
class KafkaLargeDeadLetterTest {

    private static final String SUFFIX = "-large";

    static class Payments {

        private final Journal journal;

        Payments(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "payments", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE, rejectOn = IllegalArgumentException.class)
        void pay(String body) {
            String word = body.substring(0, 4);
            journal.write(word);
            if (word.equals("hard")) {
                throw new IllegalArgumentException("no such account ".repeat(60));
            }
            if (word.equals("soft")) {
                throw new IllegalStateException("bank away ".repeat(60));
            }
        }
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(3));
    }

    private static KafkaTestApplication.Builder application() {
        return KafkaTestApplication.with(Payments.class)
                .partitions(2)
                .set("idem.consumer.kafka.dead-letter.topic-suffix", SUFFIX)
                .set("spring.kafka.producer.properties.max.request.size", 1_500);
    }

    /** "hard" is rejected by idem, "soft" is given up by the container. */
    @ParameterizedTest
    @ValueSource(strings = {"hard", "soft"})
    void aLetterThatItsHeadersMakeTooLargeHasTheRecordsHeadersAlone(String word) {
        try (KafkaTestApplication application = application().start();
                RawTopic letters = new RawTopic(application.topic(), application.topic() + SUFFIX)) {
            application.send("k1", word + "x".repeat(1_000));
            application.send("k2", "good");

            ConsumerRecord<byte[], byte[]> letter = await().until(
                            () -> letters.find(Map.of(IdempotencyHeaders.KEY, "k1")), Optional::isPresent)
                    .orElseThrow();

            assertThat(letter.headers()).extracting(Header::key).containsExactly(IdempotencyHeaders.KEY);
            await().until(() -> application.committed() == 2);
        }
    }

    @Test
    void aRecordThatIsTooLargeItselfWaitsWithItsPartitionAndTheOthersGoOn() {
        try (KafkaTestApplication application = application().start();
                RawTopic letters = new RawTopic(application.topic(), application.topic() + SUFFIX);
                LoggedLines lines = new LoggedLines()) {
            application.send("k1", "hard" + "x".repeat(3_000));
            application.send("k2", "good");
            application.send("k3", "good");
            application.send(new ProducerRecord<>(application.topic(), 1, null, "next"), "k4");

            await().until(() -> application.journal().entries().contains("next"));
            await().until(() -> lines.ofIdem(Level.ERROR).stream().anyMatch(line -> line.contains("-0@")));
            assertThat(lines.ofIdem(Level.ERROR))
                    .singleElement()
                    .asString()
                    .contains("max.request.size", "1500", "max.message.bytes");
            await().until(() -> application.bean(KafkaDeadLetterWriter.class).behind() == 2);
            assertThat(application.journal().entries()).doesNotContain("good");
            assertThat(application.committed()).isLessThan(1);
            assertThat(letters.find(Map.of(IdempotencyHeaders.KEY, "k1"))).isEmpty();
        }
    }

    /** "hard" is rejected by idem, "soft" is given up by the container. */
    @ParameterizedTest
    @ValueSource(strings = {"hard", "soft"})
    void aRecordThatIsTooLargeIsCalledADeadLetterOnlyWhenItIsOne(String word) {
        try (KafkaTestApplication application = application().start();
                LoggedLines lines = new LoggedLines()) {
            application.send("k1", word + "x".repeat(3_000));

            await().until(() -> !lines.ofIdem(Level.ERROR).isEmpty());
            assertThat(lines.ofIdem(Level.WARN)).noneMatch(line -> line.contains("a dead letter"));
            assertThat(application.journal().events(ConsumerEvent.DeadLettered.class))
                    .isEmpty();
        }
    }

    @Test
    void aRecordThatIsLargerThanTheBufferOfTheProducerNamesThatLimit() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Payments.class)
                        .set("idem.consumer.kafka.dead-letter.topic-suffix", SUFFIX)
                        .set("spring.kafka.producer.buffer-memory", "2KB")
                        .set("spring.kafka.producer.batch-size", "1KB")
                        .start();
                LoggedLines lines = new LoggedLines()) {
            application.send("k1", "hard" + "x".repeat(3_000));

            await().until(() -> !lines.ofIdem(Level.ERROR).isEmpty());
            assertThat(lines.ofIdem(Level.ERROR))
                    .singleElement()
                    .asString()
                    .contains("buffer.memory", "2048")
                    .doesNotContain("max.request.size", "max.message.bytes");
        }
    }
}
