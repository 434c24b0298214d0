package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.FingerprintSource;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import io.idem.consumer.kafka.deadletter.KafkaDeadLetterSource;
import io.idem.operations.DeadLetterRedriver;
import io.idem.operations.DeadLetterRedriver.Order;
import io.idem.operations.RecordOperator;
import io.idem.spi.DeadLetterSource.Search;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.BackOff;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.support.converter.BytesJacksonJsonMessageConverter;
import org.springframework.kafka.support.converter.JacksonJsonMessageConverter;

/** Another payload under a used key, from producers that send no fingerprint. */
@Tag("servers")
class KafkaFingerprintTest {

    private static final String SUFFIX = "-refused";

    private @Nullable KafkaTestApplication started;
    private @Nullable PublishedRecords letters;

    private KafkaTestApplication application() {
        return Objects.requireNonNull(started, "not launched");
    }

    private void launch(KafkaTestApplication.Builder application) {
        started = application
                .set("idem.consumer.kafka.dead-letter.topic-suffix", SUFFIX)
                .start();
        letters = new PublishedRecords(started.topic() + SUFFIX);
    }

    @AfterEach
    void stop() {
        if (letters != null) {
            letters.close();
        }
        application().close();
    }

    static class ByBody {

        private final Journal journal;

        ByBody(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "single", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(
                scope = SCOPE,
                fingerprint = FingerprintSource.BODY,
                rejectOn = UnsupportedOperationException.class)
        void on(String body) {
            journal.write(body);
            if (journal.entries().size() == 1 && body.startsWith("hopeless")) {
                throw new UnsupportedOperationException("no such account");
            }
        }
    }

    static class ByFields {

        private final Journal journal;

        ByFields(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "single", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE, fingerprintFields = "/amount")
        void on(Payment payment) {
            journal.write(String.valueOf(payment.amount()));
        }
    }

    /** What a converter makes of a body. */
    record Payment(int amount) {}

    static class Converting {

        @Bean
        JacksonJsonMessageConverter converter() {
            return new BytesJacksonJsonMessageConverter();
        }
    }

    static class InBatches {

        private final Journal journal;

        InBatches(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(
                id = "batches",
                idIsGroup = false,
                topics = "${test.topic}",
                batch = "true",
                autoStartup = "false")
        @IdempotentListener(scope = SCOPE, fingerprint = FingerprintSource.BODY)
        void on(List<String> bodies) {
            bodies.forEach(journal::write);
        }
    }

    static class Retried {

        private final Journal journal;
        private final AtomicInteger calls = new AtomicInteger();

        Retried(Journal journal) {
            this.journal = journal;
        }

        @RetryableTopic(attempts = "2", backOff = @BackOff(delay = 100))
        @KafkaListener(id = "retried", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE, fingerprint = FingerprintSource.BODY)
        void on(String body) {
            journal.write(body);
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("card refused");
            }
        }
    }

    private void awaitLetters(String... bodies) {
        await().until(() -> Objects.requireNonNull(letters).all().size() >= bodies.length);
        assertThat(Objects.requireNonNull(letters).values()).containsExactly(bodies);
    }

    private void awaitState(RecordState state) {
        await().until(() -> application()
                        .store()
                        .look("k1", SCOPE)
                        .map(RecordSnapshot::state)
                        .orElse(RecordState.ABSENT)
                == state);
    }

    private void awaitCommitted(long offset) {
        await().until(() -> application().committed() == offset);
    }

    @Test
    void anotherBodyUnderAUsedKeyIsADeadLetterAndTheSameBodyADuplicate() {
        launch(KafkaTestApplication.with(ByBody.class));

        application().send("k1", "one");
        application().send("k1", "two");
        application().send("k1", "one");

        awaitCommitted(3);
        awaitLetters("two");
        assertThat(application().journal().entries()).containsExactly("one");
        assertThat(application().journal().events(ConsumerEvent.Duplicate.class))
                .hasSize(1);
        assertThat(application().journal().events(ConsumerEvent.DeadLettered.class))
                .singleElement()
                .returns("its key was used before with another payload", ConsumerEvent.DeadLettered::reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ByteArray", "Bytes"})
    @Tag("extended")
    void bytesThatAConverterMakesAnObjectOfAreCompared(String values) {
        String classes = "org.apache.kafka.common.serialization." + values;
        launch(KafkaTestApplication.with(ByFields.class, Converting.class)
                .set("spring.kafka.consumer.value-deserializer", classes + "Deserializer")
                .set("spring.kafka.producer.value-serializer", classes + "Serializer"));

        application().send("k1", "{\"amount\":10,\"sentAt\":1}");
        application().send("k1", "{\"amount\":11,\"sentAt\":1}");
        application().send("k1", "{\"sentAt\":2,\"amount\":10}");

        awaitCommitted(3);
        awaitLetters("{\"amount\":11,\"sentAt\":1}");
        assertThat(application().journal().entries()).containsExactly("10");
        assertThat(application().journal().events(ConsumerEvent.Duplicate.class))
                .hasSize(1);
    }

    @Test
    @Tag("extended")
    void anotherBodyUnderAKeyOfTheSameBatchIsADeadLetter() {
        launch(KafkaTestApplication.with(InBatches.class));
        application().send("k1", "one");
        application().send("k1", "two");
        application().send("k1", "one");

        Objects.requireNonNull(
                        application().bean(KafkaListenerEndpointRegistry.class).getListenerContainer("batches"))
                .start();

        awaitCommitted(3);
        awaitLetters("two");
        assertThat(application().journal().entries()).containsExactly("one");
    }

    @Test
    @Tag("extended")
    void aRecordOfARetryTopicHasTheFingerprintOfTheFirstOne() {
        launch(KafkaTestApplication.with(Retried.class));

        application().send("k1", "one");

        awaitState(RecordState.COMPLETED);
        assertThat(application().journal().entries()).containsExactly("one", "one");
        assertThat(application().journal().events(ConsumerEvent.DeadLettered.class))
                .isEmpty();
    }

    @Test
    @Tag("extended")
    void aRedriveTakesTheLetterWithTheBodyOfTheRecord() {
        launch(KafkaTestApplication.with(ByBody.class));
        application().send("k1", "hopeless one");
        application().send("k1", "two");
        awaitCommitted(2);
        awaitLetters("hopeless one", "two");

        assertThat(redrive()).isEqualTo(new Search.Moved(2, application().topic()));

        awaitState(RecordState.COMPLETED);
        assertThat(application().journal().entries()).containsExactly("hopeless one", "hopeless one");
    }

    private Search redrive() {
        RecordOperator operator =
                new RecordOperator(application().store(), application().bean(ScopePolicies.class), act -> {});
        RecordId record = new RecordId(IdempotencyKey.of("k1"), new Scope(SCOPE));
        return new DeadLetterRedriver(
                        application().store(), operator, List.of(application().bean(KafkaDeadLetterSource.class)))
                .redrive(new Order(record, application().topic() + SUFFIX, "kafka", 10), "anna", "ticket 7")
                .search()
                .orElseThrow();
    }
}
