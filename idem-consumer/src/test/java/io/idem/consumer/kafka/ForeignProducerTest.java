package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.HeaderValues;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/** Keys as clients that know neither idem nor Spring put them on the wire: read as what they are, or refused. */
@Tag("servers")
class ForeignProducerTest {

    private final KafkaTestApplication application = KafkaTestApplication.with(Keys.class)
            .set("idem.consumer.key-sources", "headers,message-id,cloud-events")
            // Every refused record seeks, and a seek waits for the fetch under way.
            .set("spring.kafka.consumer.fetch-max-wait", "10ms")
            .start();
    private final Producer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", KafkaTestApplication.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    private int sent;

    /** Writes down which key a body came under; refused ones are written down as such and not retried. */
    static class Keys {

        private final Journal journal;

        Keys(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "keys", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = KafkaTestApplication.SCOPE)
        void on(ConsumerRecord<String, String> record) {
            String key = IdempotencyContext.current().orElseThrow().key().value();
            journal.write(record.value() + " is " + key);
        }

        @Bean
        static DefaultErrorHandler handler(Journal journal) {
            return new DefaultErrorHandler(
                    (record, failure) -> journal.write(record.value() + " is refused"), new FixedBackOff(0, 0));
        }
    }

    @BeforeEach
    void nothingSent() {
        sent = 0;
    }

    @AfterEach
    void close() {
        producer.close();
        application.close();
    }

    private void publish(String body, @Nullable Object... namesAndValues) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(application.topic(), 0, null, body.getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < namesAndValues.length; i += 2) {
            record.headers().add(String.valueOf(namesAndValues[i]), bytes(namesAndValues[i + 1]));
        }
        var unused = producer.send(record);
        sent++;
    }

    private static byte @Nullable [] bytes(@Nullable Object value) {
        return value instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) value;
    }

    private List<String> entries() {
        producer.flush();
        await().atMost(Duration.ofMinutes(3)).until(() -> application.committed() == sent);
        return application.journal().entries();
    }

    @Test
    void keysOfEveryKindAreReadAsWhatTheyAre() {
        for (int round = 0; round < 2; round++) {
            publish("header", "x-idempotency-key", "k1");
            publish("standard", "idempotency-key", "k2");
            publish("mixed case", "X-Idempotency-Key", "k3");
            publish("repeated", "x-idempotency-key", "k4", "X-Idempotency-Key", "k4");
            publish("long", "x-idempotency-key", "ü".repeat(1000));
            publish("id", "message-id", "k5");
            publish("event", "ce_source", "/shop", "ce_id", "ev");
            publish("event in mixed case", "CE_Source", "/shop", "CE_Id", "other");
        }

        assertThat(entries())
                .containsExactly(
                        "header is k1",
                        "standard is k2",
                        "mixed case is k3",
                        "repeated is k4",
                        "long is " + "ü".repeat(1000),
                        "id is k5",
                        "event is 5:/shopev",
                        "event in mixed case is 5:/shopother");
    }

    @Test
    void whatCannotBeReadIsRefusedAndNothingElseIsHeldForItsDuplicate() {
        publish("too long", "x-idempotency-key", "k".repeat(1025));
        publish("empty", "x-idempotency-key", "");
        publish("no value", "x-idempotency-key", null);
        publish("control character", "x-idempotency-key", "a\u0000b");
        publish("Latin-1", "x-idempotency-key", "grün".getBytes(StandardCharsets.ISO_8859_1));
        publish("eight bytes of a number", "x-idempotency-key", new byte[] {0, 0, 0, 0, 0, 0, 0, 42});
        publish("two keys", "x-idempotency-key", "k1", "x-idempotency-key", "k2");
        publish("two spellings", "x-idempotency-key", "k1", "X-Idempotency-Key", "k2");
        publish("two ids", "message-id", "k1", "message-id", "k2");
        publish("half an event", "ce_id", "ev");
        publish("sound", "x-idempotency-key", "k1");

        assertThat(entries())
                .hasSize(11)
                .endsWith("sound is k1")
                .filteredOn(entry -> !entry.startsWith("sound"))
                .allMatch(entry -> entry.endsWith(" is refused"));
    }

    @Test
    void whateverIsSentForAKeyIsThatKeyOrNone() {
        HeaderValues values = new HeaderValues(HeaderValues.SEED);
        List<byte[]> raw = IntStream.range(0, 40).mapToObj(i -> values.bytes()).toList();
        List<String> expected = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < raw.size(); i++) {
            publish("m" + i, "x-idempotency-key", raw.get(i));
            Optional<String> key = HeaderValues.key(raw.get(i));
            if (key.isEmpty()) {
                expected.add("m" + i + " is refused");
            } else if (!seen.contains(key.get())) {
                seen.add(key.get());
                expected.add("m" + i + " is " + key.get());
            }
        }

        assertThat(entries()).containsExactlyElementsOf(expected);
    }
}
