package io.idem.consumer.kafka.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import io.idem.Scope;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.LoggedLines;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.kafka.message.DeadLetterHeaders;
import io.idem.consumer.internal.kafka.message.KeyInProgressException;
import io.idem.consumer.internal.kafka.publish.VerbatimTemplate;
import io.idem.consumer.kafka.KafkaDeadLetterException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.SendResult;

/** Dead letters that are larger than the record, and than a limit. */
class LargeDeadLetterTest {

    private static final DeliveryDecision.DeadLetter DEAD =
            new DeliveryDecision.DeadLetter(new Scope("payments"), "no such account", 1);
    private static final String BODY = "x".repeat(1_000);

    private final Limited template = new Limited();
    private final DeadLetterTopic letters =
            new DeadLetterTopic(template, new VerbatimTemplate(template.getProducerFactory(), unused -> {}), "-dlt");

    /** A template whose broker refuses what is larger than a limit. */
    private static final class Limited extends KafkaTemplate<Object, Object> {

        private final List<ProducerRecord<Object, Object>> sent = new ArrayList<>();
        private int limit = Integer.MAX_VALUE;
        private boolean atOnce;
        private @Nullable RuntimeException failure;

        Limited() {
            super(new DefaultKafkaProducerFactory<>(Map.of(
                    ProducerConfig.ACKS_CONFIG,
                    "all",
                    ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                    1_500,
                    ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                    StringSerializer.class,
                    ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                    StringSerializer.class)));
        }

        @Override
        public CompletableFuture<SendResult<Object, Object>> send(ProducerRecord<Object, Object> record) {
            int size = String.valueOf(record.value()).length();
            for (Header header : record.headers()) {
                size += header.key().length() + header.value().length;
            }
            if (failure != null) {
                return CompletableFuture.failedFuture(failure);
            }
            if (size <= limit) {
                sent.add(record);
                return CompletableFuture.completedFuture(new SendResult<>(
                        record, new RecordMetadata(new TopicPartition(record.topic(), 0), 0, 0, 0, 0, 0)));
            }
            RecordTooLargeException large = new RecordTooLargeException(size + " bytes");
            if (atOnce) {
                throw new KafkaException("Send failed", large);
            }
            return CompletableFuture.failedFuture(large);
        }
    }

    private static ConsumerRecord<String, String> record(long offset) {
        RecordHeaders headers = new RecordHeaders();
        headers.add("own", "header".getBytes(StandardCharsets.UTF_8));
        ConsumerRecord<String, String> record = new ConsumerRecord<>(
                "orders",
                3,
                offset,
                0,
                TimestampType.CREATE_TIME,
                1,
                BODY.length(),
                "k",
                BODY,
                headers,
                Optional.empty());
        DeadLetterHeaders.write(
                record,
                new DeliveryDecision.DeadLetter(new Scope("payments"), "card refused: " + "why ".repeat(50), 1));
        return record;
    }

    private static RuntimeException failure() {
        return new IllegalStateException("card refused");
    }

    private void publish(ConsumerRecord<?, ?> record) {
        letters.publish(record, "record " + record.offset() + " (payments/digest)", failure());
    }

    private KeyInProgressException waiting(ConsumerRecord<?, ?> record) {
        KeyInProgressException waiting = catchThrowableOfType(KeyInProgressException.class, () -> publish(record));
        assertThat(waiting).isNotNull();
        return waiting;
    }

    @Test
    void aDeadLetterHasNoStackTrace() {
        publish(record(7));

        assertThat(template.sent)
                .singleElement()
                .satisfies(letter -> assertThat(letter.headers())
                        .extracting(Header::key)
                        .contains("own", IdempotencyHeaders.REASON, KafkaHeaders.DLT_EXCEPTION_MESSAGE)
                        .doesNotContain(KafkaHeaders.DLT_EXCEPTION_STACKTRACE));
    }

    @Test
    void aDeadLetterNamesTheFailureOfTheWork() {
        ConsumerRecord<String, String> record = record(7);
        Exception failure = new ListenerExecutionFailedException("called", new IllegalArgumentException("no account"));

        letters.send(record, new KafkaDeadLetterException("record 7", DEAD, failure));

        assertThat(texts(template.sent.get(0)))
                .containsEntry(KafkaHeaders.DLT_EXCEPTION_CAUSE_FQCN, IllegalArgumentException.class.getName())
                .extractingByKey(KafkaHeaders.DLT_EXCEPTION_MESSAGE)
                .asString()
                .isEqualTo("called; no account");
    }

    @Test
    void aDeadLetterWithoutAFailureSaysWhyAndNoMore() {
        letters.send(record(7), new KafkaDeadLetterException("record 7", DEAD, null));

        assertThat(texts(template.sent.get(0)))
                .containsEntry(
                        KafkaHeaders.DLT_EXCEPTION_MESSAGE,
                        "record 7 is refused for good by scope \"payments\": no such account");
    }

    /** One of another scope may repair dead letters. */
    @ParameterizedTest
    @CsvSource({"payments,", "repairs,orders-dlt-dlt"})
    void aDeadLetterOfADeadLetterGoesOnIfAnotherScopeMakesIt(String scope, @Nullable String topic) {
        ConsumerRecord<String, String> letter = new ConsumerRecord<>("orders-dlt", 3, 0, "k", BODY);
        record(7).headers().forEach(letter.headers()::add);
        DeadLetterHeaders.write(letter, new DeliveryDecision.DeadLetter(new Scope(scope), "no such account", 1));

        publish(letter);

        assertThat(template.sent)
                .extracting(ProducerRecord::topic)
                .isEqualTo(topic == null ? List.of() : List.of(topic));
    }

    private static Map<String, String> texts(ProducerRecord<Object, Object> letter) {
        return Stream.of(letter.headers().toArray())
                .collect(Collectors.toMap(
                        Header::key, header -> new String(header.value(), StandardCharsets.UTF_8), (one, two) -> two));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLetterThatItsHeadersMakeTooLargeIsPublishedWithoutThem(boolean atOnce) {
        template.limit = BODY.length() + 20;
        template.atOnce = atOnce;

        publish(record(7));

        assertThat(template.sent).singleElement().satisfies(letter -> {
            assertThat(letter.topic()).isEqualTo("orders-dlt");
            assertThat(letter.value()).isEqualTo(BODY);
            assertThat(letter.headers()).extracting(Header::key).containsExactly("own");
        });
    }

    @Test
    void aLetterThatIsTooLargeEvenSoWaitsLongerEachTimeAndIsReportedOnce() {
        template.limit = 500;
        try (LoggedLines lines = new LoggedLines()) {
            assertThat(List.of(waiting(record(7)), waiting(record(7)), waiting(record(7))))
                    .extracting(KeyInProgressException::pause)
                    .containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));

            assertThat(lines.ofIdem(Level.ERROR))
                    .singleElement()
                    .asString()
                    .contains(
                            "record 7 (payments/digest)",
                            "1000 bytes",
                            "max.request.size",
                            "1500",
                            "max.message.bytes");
        }
    }

    /** The listener of a partition may have several at once, where its work ends after its return. */
    @Test
    void lettersOfOnePartitionWaitEachForItself() {
        template.limit = 500;
        try (LoggedLines lines = new LoggedLines()) {
            assertThat(List.of(waiting(record(7)), waiting(record(8)), waiting(record(7)), waiting(record(8))))
                    .extracting(KeyInProgressException::pause)
                    .containsExactly(
                            Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(2));

            assertThat(lines.ofIdem(Level.ERROR)).hasSize(2);
        }
    }

    @Test
    void pausesDoNotGrowWithoutLimit() {
        template.limit = 500;
        for (int i = 0; i < 20; i++) {
            assertThat(waiting(record(7)).pause()).isLessThan(Duration.ofMinutes(5));
        }
    }

    @Test
    void aLetterIsPublishedOnceTheLimitIsRaisedAndTheNextOneStartsAnew() {
        template.limit = 500;
        var unused = waiting(record(7));
        template.limit = 5_000;

        publish(record(7));
        publish(record(8));

        assertThat(template.sent).hasSize(2);
        assertThat(template.sent.get(1).headers().lastHeader(IdempotencyHeaders.REASON))
                .isNotNull();
    }

    @Test
    void anotherFailureIsNoReasonToWaitLonger() {
        template.failure = new NotEnoughReplicasException("told by the test");

        assertThatThrownBy(() -> publish(record(7)))
                .isInstanceOf(KafkaException.class)
                .hasRootCauseInstanceOf(NotEnoughReplicasException.class);
    }
}
