package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.support.micrometer.KafkaRecordSenderContext;
import org.springframework.kafka.support.serializer.JacksonJsonSerializer;

/** Dead letters of listeners that read bytes, in an application whose template writes texts as keys and JSON as values. */
@Tag("extended")
class DeadLetterBytesTest {

    /** Text in no charset that anybody uses, and no JSON. */
    private static final byte[] VALUE = {(byte) 0xC3, 0x28, 0, (byte) 0xFF, '"'};

    private static final byte[] KEY = {(byte) 0xFE, 1, 2};
    private static final String SUFFIX = "-refused";
    private static final String CASE = "test-case";

    private static KafkaTestApplication application;
    private static RawTopic topic;

    @BeforeAll
    static void start() {
        application = applicationWith(ReadsBytes.class, ReadsTexts.class).start();
        topic = new RawTopic(application.topic(), application.topic() + SUFFIX);
    }

    @AfterAll
    static void stop() {
        topic.close();
        application.close();
    }

    private static KafkaTestApplication.Builder applicationWith(Class<?>... sources) {
        return KafkaTestApplication.with(sources)
                .set("spring.kafka.consumer.key-deserializer", ByteArrayDeserializer.class.getName())
                .set("spring.kafka.consumer.value-deserializer", ByteArrayDeserializer.class.getName())
                .set("spring.kafka.producer.value-serializer", JacksonJsonSerializer.class.getName())
                .set("idem.consumer.kafka.dead-letter.topic-suffix", SUFFIX);
    }

    /** Sends a record without idempotency key, which every listener refuses, and waits for the dead letter of one of them. */
    private static ConsumerRecord<byte[], byte[]> letter(
            RawTopic topic, String scope, byte @Nullable [] key, byte @Nullable [] value) {
        String name = UUID.randomUUID().toString();
        topic.send(key, value, CASE, utf8(name));
        return await().until(() -> topic.find(Map.of(IdempotencyHeaders.SCOPE, scope, CASE, name)), Optional::isPresent)
                .orElseThrow();
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(2));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void keyAndValueLeaveAsTheBytesThatTheyCameAs() {
        ConsumerRecord<byte[], byte[]> letter = letter(topic, "bytes", KEY, VALUE);

        assertThat(letter.key()).isEqualTo(KEY);
        assertThat(letter.value()).isEqualTo(VALUE);
        assertThat(letter.headers().headers("__TypeId__")).isEmpty();
    }

    @Test
    void jsonStaysTheVeryTextThatItCameAs() {
        byte[] json = utf8("{\"amount\": 1.0,  \"to\": \"Zoë\"}");

        assertThat(letter(topic, "bytes", null, json).value()).isEqualTo(json);
    }

    @Test
    void aTombstoneStaysATombstoneUnderItsKey() {
        ConsumerRecord<byte[], byte[]> letter = letter(topic, "bytes", KEY, null);

        assertThat(letter.key()).isEqualTo(KEY);
        assertThat(letter.value()).isNull();
    }

    @Test
    void aKeyThatIsNoBytesLeavesAsTheTemplateWouldWriteIt() {
        ConsumerRecord<byte[], byte[]> letter = letter(topic, "text-keys", utf8("account"), VALUE);

        assertThat(letter.key()).isEqualTo(utf8("account"));
        assertThat(letter.value()).isEqualTo(VALUE);
    }

    @Test
    void aRecordWithoutBytesLeavesThroughTheTemplate() {
        ConsumerRecord<byte[], byte[]> letter = letter(topic, "texts", utf8("account"), utf8("one"));

        assertThat(letter.key()).isEqualTo(utf8("account"));
        assertThat(letter.value()).isEqualTo(utf8("\"one\""));
    }

    @Test
    void aRecordThatCouldNotBeReadLeavesAsItCame() {
        assertThat(letter(topic, "unreadable", utf8("account"), VALUE).value()).isEqualTo(VALUE);
    }

    @Test
    void besideTransactionsOneMoreProducerIsObservedAndClosed() {
        Observed observed;
        try (KafkaTestApplication transacted = applicationWith(ReadsBytes.class, Observed.class)
                        .set("spring.kafka.producer.transaction-id-prefix", "tx-" + UUID.randomUUID())
                        .set("spring.kafka.template.observation-enabled", true)
                        .start();
                RawTopic raw = new RawTopic(transacted.topic(), transacted.topic() + SUFFIX)) {
            observed = transacted.bean(Observed.class);
            assertThat(letter(raw, "bytes", KEY, VALUE).value()).isEqualTo(VALUE);
            raw.send(KEY, VALUE, IdempotencyHeaders.KEY, utf8("k1"));
            assertThat(letter(raw, "bytes", KEY, null).value()).isNull();
            await().until(() -> transacted.committed() == 3);

            assertThat(transacted.journal().entries()).containsExactly("ran");
            assertThat(observed.sends()).containsExactly(transacted.topic() + SUFFIX, transacted.topic() + SUFFIX);
            assertThat(observed.deadLetterProducers()).hasSize(1);
        }
        assertThat(observed.deadLetterProducers()).isEmpty();
    }

    /** Reads everything as it is. */
    static class ReadsBytes {

        private final KafkaTestApplication.Journal journal;

        ReadsBytes(KafkaTestApplication.Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "bytes", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = "bytes")
        void on(ConsumerRecord<byte[], byte[]> record) {
            journal.write("ran");
        }
    }

    /** Reads all or part of the same records as something else. */
    static class ReadsTexts {

        private static final String DESERIALIZER = "org.apache.kafka.common.serialization.StringDeserializer";
        private static final String SPRINGS = "org.springframework.kafka.support.serializer.";

        @KafkaListener(
                id = "text-keys",
                groupId = "${test.topic}-text-keys",
                topics = "${test.topic}",
                properties = "key.deserializer=" + DESERIALIZER)
        @IdempotentListener(scope = "text-keys")
        void keys(ConsumerRecord<String, byte[]> record) {}

        @KafkaListener(
                id = "texts",
                groupId = "${test.topic}-texts",
                topics = "${test.topic}",
                properties = {"key.deserializer=" + DESERIALIZER, "value.deserializer=" + DESERIALIZER})
        @IdempotentListener(scope = "texts")
        void texts(ConsumerRecord<String, String> record) {}

        @KafkaListener(
                id = "unreadable",
                groupId = "${test.topic}-unreadable",
                topics = "${test.topic}",
                batch = "true",
                properties = {
                    "value.deserializer=" + SPRINGS + "ErrorHandlingDeserializer",
                    "spring.deserializer.value.delegate.class=" + SPRINGS + "JacksonJsonDeserializer"
                })
        @IdempotentListener(scope = "unreadable")
        void unreadable(List<ConsumerRecord<byte[], Object>> records) {}
    }

    /** What the application sees of its producers and sends. */
    static class Observed
            implements ObservationHandler<KafkaRecordSenderContext>, ProducerFactory.Listener<Object, Object> {

        private final List<String> producers = new CopyOnWriteArrayList<>();
        private final List<String> sends = new CopyOnWriteArrayList<>();

        List<String> deadLetterProducers() {
            return producers.stream().filter(id -> id.contains("dead-letters")).toList();
        }

        List<String> sends() {
            return sends;
        }

        @Override
        public void onStop(KafkaRecordSenderContext context) {
            sends.add(context.getDestination());
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof KafkaRecordSenderContext;
        }

        @Override
        public void producerAdded(String id, Producer<Object, Object> producer) {
            producers.add(id);
        }

        @Override
        public void producerRemoved(String id, Producer<Object, Object> producer) {
            producers.remove(id);
        }

        @Bean
        static ObservationRegistry observations(Observed observed) {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(observed);
            return registry;
        }

        @Bean
        @SuppressWarnings("unchecked")
        static DefaultKafkaProducerFactoryCustomizer producers(Observed observed) {
            return factory -> ((ProducerFactory<Object, Object>) (ProducerFactory<?, ?>) factory).addListener(observed);
        }
    }
}
