package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.SharedApplications;
import io.idem.consumer.kafka.deadletter.KafkaDeadLetterSource;
import io.idem.operations.DeadLetterRedriver;
import io.idem.operations.DeadLetterRedriver.Order;
import io.idem.operations.RecordOperator;
import io.idem.spi.DeadLetterSource.Search;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.kafka.support.serializer.JacksonJsonSerializer;

/** An operator lets a dead letter run again. */
@Tag("servers")
class KafkaRedriveTest {

    @RegisterExtension
    static final SharedApplications<KafkaTestApplication> APPLICATIONS = KafkaTestApplication.shared();

    private static final String SUFFIX = "-refused";

    private final List<ConsumerRecord<String, String>> ran = new CopyOnWriteArrayList<>();
    private KafkaTestApplication application;
    private PublishedRecords letters;

    @BeforeEach
    void start() {
        start(StringSerializer.class);
    }

    private void start(Class<?> valuesOfTheTemplate) {
        application = KafkaTestApplication.with(APPLICATIONS, Listeners.Plain.class)
                .set("idem.consumer.kafka.dead-letter.topic-suffix", SUFFIX)
                .set("spring.kafka.producer.value-serializer", valuesOfTheTemplate.getName())
                .start();
        letters = new PublishedRecords(application.topic() + SUFFIX);
        application.bean(Listeners.Plain.class).does(ran::add);
    }

    @AfterEach
    void stop() {
        letters.close();
        application.close();
    }

    @Test
    void theLetterRunsOnceMoreAsTheRecordThatItWas() {
        reject("k1");
        application.send("k1", "one");
        await().until(() -> letters.all().size() == 1);

        assertThat(redrive("k1", 100)).isEqualTo(new Search.Moved(1, application.topic()));

        await().until(() -> state("k1") == RecordState.COMPLETED);
        assertThat(application.journal().entries()).containsExactly("one");
        assertThat(PublishedRecords.headers(ran.get(0)))
                .containsEntry(IdempotencyHeaders.KEY, "k1")
                .doesNotContainKeys(
                        IdempotencyHeaders.REASON,
                        IdempotencyHeaders.ORIGIN,
                        IdempotencyHeaders.SCOPE,
                        IdempotencyHeaders.ATTEMPTS)
                .noneSatisfy((name, value) -> assertThat(name).startsWith("kafka_dlt"));
    }

    @Test
    void itsBytesDoNotPassThroughTheApplicationsSerializers() {
        stop();
        start(JacksonJsonSerializer.class);
        reject("k1");
        put("k1", "one");

        redrive("k1", 10);

        await().until(() -> state("k1") == RecordState.COMPLETED);
        assertThat(application.journal().entries()).containsExactly("one");
    }

    @Test
    void aRedriveThatIsAskedForAgainIsRefusedBecauseTheWorkIsDone() {
        reject("k1");
        application.send("k1", "one");
        await().until(() -> letters.all().size() == 1);
        redrive("k1", 100);
        await().until(() -> state("k1") == RecordState.COMPLETED);

        assertThat(redriver().redrive(order("k1", 100, SUFFIX), "anna", "again").search())
                .isEmpty();
        assertThat(PublishedRecords.count(application.topic())).isEqualTo(2);
    }

    @Test
    void theNewestLettersAreLookedAtAndTheNewestOneOfTheKeyIsTaken() {
        reject("k1");
        put("k1", "too old");
        for (int n = 0; n < 5; n++) {
            put("other-" + n, "other");
        }
        assertThat(redrive("k1", 5)).isEqualTo(new Search.Missing(5, true));
        put("k1", "older");
        put("k1", "newer");

        assertThat(redrive("k1", 100)).isEqualTo(new Search.Moved(8, application.topic()));

        await().until(() -> state("k1") == RecordState.COMPLETED);
        assertThat(application.journal().entries()).containsExactly("newer");
    }

    @Test
    void whatIsNotThereIsTold() {
        reject("k1");
        assertThat(redrive("k1", 10)).isEqualTo(new Search.Missing(0, false));
        put("k2", "two");

        assertThat(redrive("k1", 10)).isEqualTo(new Search.Missing(1, false));
        assertThatThrownBy(() -> redriver().redrive(order("k1", 10, "-nowhere"), "anna", "why"))
                .hasMessageContaining(application.topic() + "-nowhere");
        assertThat(state("k1")).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void workInProgressKeepsItsKey() {
        var unused = application.store().occupy("k1", KafkaTestApplication.SCOPE, Duration.ofMinutes(5));
        put("k1", "one");

        assertThat(redrive("k1", 10)).isEqualTo(new Search.Kept(1));

        assertThat(state("k1")).isEqualTo(RecordState.PENDING);
        assertThat(PublishedRecords.count(application.topic())).isZero();
    }

    /** A record that Spring's own recoverer published, with all that Spring writes on it. */
    @Test
    void aLetterOfSpringsOwnGoesToItsFirstTopicAndIsNotTakenForARetry() {
        reject("k1");
        application.sendAsItIs(letter(
                "k1",
                "one",
                Map.of(
                        "kafka_dlt-original-topic",
                        application.topic(),
                        "kafka_dlt-exception-message",
                        "no such account",
                        "kafka_original-topic",
                        application.topic(),
                        "retry_topic-attempts",
                        "4")));

        assertThat(redrive("k1", 10)).isEqualTo(new Search.Moved(1, application.topic()));

        await().until(() -> state("k1") == RecordState.COMPLETED);
        assertThat(PublishedRecords.headers(ran.get(0)).keySet()).containsExactly(IdempotencyHeaders.KEY);
    }

    @Test
    void aLetterThatDoesNotSayWhereItCameFromIsNamed() {
        reject("k1");
        application.sendAsItIs(letter("k1", "one", Map.of()));

        assertThatThrownBy(() -> redrive("k1", 10)).hasMessageContaining("x-idempotency-origin");

        assertThat(state("k1")).isEqualTo(RecordState.REJECTED);
    }

    private void reject(String key) {
        application
                .store()
                .reject(
                        application.store().occupy(key, KafkaTestApplication.SCOPE, Duration.ofMinutes(5)),
                        "no such account");
    }

    private void put(String key, String body) {
        application.sendAsItIs(letter(
                key,
                body,
                Map.of(
                        IdempotencyHeaders.ORIGIN,
                        application.topic(),
                        IdempotencyHeaders.SCOPE,
                        KafkaTestApplication.SCOPE)));
    }

    private ProducerRecord<String, String> letter(String key, String body, Map<String, String> headers) {
        ProducerRecord<String, String> letter = new ProducerRecord<>(application.topic() + SUFFIX, 0, null, body);
        letter.headers().add(IdempotencyHeaders.KEY, key.getBytes(StandardCharsets.UTF_8));
        headers.forEach((name, value) -> letter.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        return letter;
    }

    private Search redrive(String key, int limit) {
        return redriver()
                .redrive(order(key, limit, SUFFIX), "anna", "ticket 7")
                .search()
                .orElseThrow();
    }

    private Order order(String key, int limit, String suffix) {
        return new Order(record(key), application.topic() + suffix, "kafka", limit);
    }

    private DeadLetterRedriver redriver() {
        RecordOperator operator =
                new RecordOperator(application.store(), application.bean(ScopePolicies.class), act -> {});
        return new DeadLetterRedriver(
                application.store(), operator, List.of(application.bean(KafkaDeadLetterSource.class)));
    }

    private RecordState state(String key) {
        return application
                .store()
                .inspect(record(key))
                .map(RecordSnapshot::state)
                .orElse(RecordState.ABSENT);
    }

    private static RecordId record(String key) {
        return new RecordId(IdempotencyKey.of(key), new Scope(KafkaTestApplication.SCOPE));
    }
}
