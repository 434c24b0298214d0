package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.converter.ByteArrayJacksonJsonMessageConverter;
import org.springframework.kafka.support.converter.ConversionException;
import org.springframework.kafka.support.serializer.ErrorHandlingDeserializer;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;

/** A batch with a record that nobody can convert: its neighbours are handled, and it alone is a dead letter. */
@Tag("servers")
class UnconvertedBatchRecordTest {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(3);

    record Order(String id) {}

    static class Json {

        @Bean
        ByteArrayJacksonJsonMessageConverter converter() {
            return new ByteArrayJacksonJsonMessageConverter();
        }
    }

    static class Orders {

        private final Journal journal;

        Orders(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "payloads", topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = "payloads")
        void payloads(List<Order> orders) {
            orders.forEach(order -> journal.write(order.id()));
        }

        @KafkaListener(id = "messages", topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = "messages")
        void messages(List<Message<Order>> orders) {
            orders.forEach(order -> journal.write(order.getPayload().id()));
        }

        @KafkaListener(id = "informed", topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = "informed")
        void informed(
                List<Order> orders, @Header(KafkaHeaders.CONVERSION_FAILURES) List<ConversionException> failures) {
            for (int i = 0; i < orders.size(); i++) {
                journal.write(failures.get(i) == null ? orders.get(i).id() : "unreadable");
            }
        }
    }

    static class ByHand {

        private final Journal journal;

        ByHand(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "byhand", topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = "byhand")
        void byHand(List<Order> orders, Acknowledgment acknowledgment) {
            orders.forEach(order -> journal.write(order.id()));
            acknowledgment.acknowledge();
        }
    }

    static class Numbers {

        private final Journal journal;

        Numbers(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "numbers", topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = "numbers")
        void numbers(List<Integer> numbers) {
            numbers.forEach(number -> journal.write("%x".formatted(number)));
        }
    }

    static class Failing {

        @KafkaListener(id = "failing", topics = "${test.topic}", batch = "true", autoStartup = "false")
        @IdempotentListener(scope = "failing")
        void fail(List<ConsumerRecord<String, String>> records) {
            throw new IllegalStateException("the database is away");
        }
    }

    private static KafkaTestApplication.Builder orders(Class<?> listeners) {
        return KafkaTestApplication.with(listeners, Json.class)
                .set("spring.kafka.consumer.value-deserializer", ByteArrayDeserializer.class.getName());
    }

    private static void sendOneThatIsNoJson(KafkaTestApplication application) {
        application.send("k1", "{\"id\":\"one\"}");
        application.send("k2", "{\"id\":");
        application.send("k3", "{\"id\":\"three\"}");
    }

    private static void awaitCommitted(KafkaTestApplication application, String listener) {
        BatchListenerTest.startListener(application, listener);
        await().atMost(TIME_LIMIT).until(() -> application.committed(listener, 0) == 3);
    }

    private static void awaitLetters(KafkaTestApplication application, String... keys) {
        try (RawTopic letters = new RawTopic(application.topic(), application.topic() + "-dlt")) {
            for (String key : keys) {
                await().atMost(TIME_LIMIT)
                        .until(() -> letters.find(Map.of(IdempotencyHeaders.KEY, key))
                                .isPresent());
            }
        }
    }

    private static int deadLetters(KafkaTestApplication application) {
        return application.journal().events(ConsumerEvent.DeadLettered.class).size();
    }

    @ParameterizedTest
    @ValueSource(strings = {"payloads", "messages"})
    void itsNeighboursAreHandledAndItIsPublishedAsADeadLetter(String listener) {
        try (KafkaTestApplication application = orders(Orders.class)
                .set("idem.consumer.kafka.dead-letter.topic-suffix", "-dlt")
                .start()) {
            sendOneThatIsNoJson(application);
            awaitCommitted(application, listener);

            assertThat(application.journal().entries()).containsExactly("one", "three");
            assertThat(deadLetters(application)).isOne();
            awaitLetters(application, "k2");
        }
    }

    @Test
    void itsNeighboursAreHandledWhereTheErrorHandlerOnlyLogsIt() {
        try (KafkaTestApplication application = orders(Orders.class).start()) {
            sendOneThatIsNoJson(application);
            awaitCommitted(application, "payloads");

            assertThat(application.journal().entries()).containsExactly("one", "three");
            assertThat(deadLetters(application)).isOne();
        }
    }

    @Test
    void itsNeighboursAreHandledWhereTheListenerAcknowledges() {
        try (KafkaTestApplication application = orders(ByHand.class)
                .set("spring.kafka.listener.ack-mode", "manual")
                .set("idem.consumer.kafka.dead-letter.topic-suffix", "-dlt")
                .start()) {
            sendOneThatIsNoJson(application);
            awaitCommitted(application, "byhand");

            assertThat(application.journal().entries()).containsExactly("one", "three");
            assertThat(deadLetters(application)).isOne();
        }
    }

    @Test
    void anEmptiedBatchIsCommittedThoughItsListenerCannotAcknowledgeIt() {
        try (KafkaTestApplication application = orders(ByHand.class)
                .set("spring.kafka.listener.ack-mode", "manual")
                .set("idem.consumer.kafka.dead-letter.topic-suffix", "-dlt")
                .start()) {
            application.send("k1", "{");
            application.send("k2", "{");
            application.send("k3", "{");
            awaitCommitted(application, "byhand");

            assertThat(application.journal().entries()).isEmpty();
            assertThat(deadLetters(application)).isEqualTo(3);
        }
    }

    @Test
    void aListenerThatAsksForConversionFailuresGetsTheWholeBatch() {
        try (KafkaTestApplication application = orders(Orders.class).start()) {
            sendOneThatIsNoJson(application);
            awaitCommitted(application, "informed");

            assertThat(application.journal().entries()).containsExactly("one", "unreadable", "three");
            assertThat(deadLetters(application)).isZero();
        }
    }

    @Test
    void aRecordThatCannotBeDeserializedIsADeadLetterToo() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Numbers.class)
                .set("spring.kafka.consumer.value-deserializer", ErrorHandlingDeserializer.class.getName())
                .set(
                        "spring.kafka.consumer.properties[spring.deserializer.value.delegate.class]",
                        IntegerDeserializer.class.getName())
                .set("idem.consumer.kafka.dead-letter.topic-suffix", "-dlt")
                .start()) {
            application.send("k1", "aaaa");
            application.send("k2", "no number");
            application.send("k3", "bbbb");
            awaitCommitted(application, "numbers");

            assertThat(application.journal().entries()).containsExactly("61616161", "62626262");
            assertThat(deadLetters(application)).isOne();
        }
    }

    @Test
    void withASuffixTheDefaultErrorHandlerPublishesWhatItGivesUp() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Failing.class)
                .set("idem.consumer.kafka.dead-letter.topic-suffix", "-dlt")
                .start()) {
            application.send("k1", "one");
            application.send("k2", "two");
            application.send("k3", "three");
            awaitCommitted(application, "failing");

            awaitLetters(application, "k1", "k2", "k3");
        }
    }
}
