package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.Lease;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.KeySource;
import io.idem.consumer.internal.kafka.container.IdempotentRecordListener;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.BackOff;
import org.springframework.kafka.annotation.DltHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.DelegatingMessageListener;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.retrytopic.DltStrategy;
import org.springframework.kafka.retrytopic.RetryTopicHeaders;
import org.springframework.kafka.retrytopic.TopicSuffixingStrategy;

/** Failures go from topic to topic under one key and one scope; "not now" goes nowhere. */
@Tag("servers")
class RetryTopicTest {

    private static final Duration UNTIL_THE_TEST_SAYS_SO = Duration.ofMinutes(5);

    private static KafkaTestApplication application;
    private static int tests;

    private String key = "";

    @BeforeAll
    static void start() {
        application = KafkaTestApplication.with(Retried.class, Placed.class, WithoutDeadLetters.class, Observers.class)
                .set("idem.consumer.kafka.dead-letter.topic-suffix", "-refused")
                .set("spring.kafka.producer.properties.interceptor.classes", ObservedSends.class.getName())
                .start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void newKey() {
        key = "k" + tests++;
        retried().does(record -> {});
        observers().sends.clear();
    }

    private static Retried retried() {
        return application.bean(Retried.class);
    }

    private static Observers observers() {
        return application.bean(Observers.class);
    }

    private void failIn(String... topics) {
        retried().does(record -> {
            if (List.of(topics).contains(where(record))) {
                throw new IllegalStateException("card refused");
            }
        });
    }

    /** Does something right before the record with this test's key is sent to the next topic. */
    private void beforeItGoesOn(Runnable action) {
        observers().sends.put(key, action);
    }

    private RecordSnapshot snapshot() {
        return application.store().look(key, SCOPE).orElseThrow();
    }

    private void awaitEntries(String... entries) {
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(entries(key)).containsExactly(entries));
    }

    private static List<String> entries(String value) {
        return application.journal().entries().stream()
                .filter(entry -> entry.endsWith(" " + value))
                .map(entry -> entry.substring(0, entry.length() - value.length() - 1))
                .toList();
    }

    private static String where(ConsumerRecord<?, ?> record) {
        return record.topic().equals(application.topic())
                ? "main"
                : record.topic().substring(application.topic().length());
    }

    private static long deferrals() {
        return application.journal().events(ConsumerEvent.Deferred.class).size();
    }

    @Test
    void aFailureGivesTheKeyBackBeforeTheRecordGoesOnAndItsKeyGoesWithIt() {
        failIn("main");
        List<RecordState> published = new CopyOnWriteArrayList<>();
        beforeItGoesOn(() -> published.add(snapshot().state()));
        application.send(key, key);

        awaitEntries("main", "-retry-0");
        await().until(() -> snapshot().state() == RecordState.COMPLETED);
        assertThat(published).containsExactly(RecordState.FAILED);
        assertThat(snapshot().attempts()).isEqualTo(2);
        assertThat(retried().keys()).last().isEqualTo(key);
    }

    @Test
    void aRecordThatKeepsFailingEndsInItsDeadLetterTopicEachTime() {
        failIn("main", "-retry-0", "-retry-1");
        application.send(key, key);
        application.send(key, key);

        await().atMost(Duration.ofMinutes(2))
                .until(() -> entries(key).stream().filter("dead"::equals).count() == 2);
        assertThat(entries(key)).contains("main", "-retry-0", "-retry-1");
        assertThat(application.store().look(key, SCOPE).orElseThrow().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aRecordInProgressKeepsItsPlaceInItsRetryTopicAndUsesNoAttemptUp() {
        failIn("main");
        List<Lease> otherOwner = new CopyOnWriteArrayList<>();
        beforeItGoesOn(() -> otherOwner.add(application.store().occupy(key, SCOPE, UNTIL_THE_TEST_SAYS_SO)));
        long before = deferrals();
        String next = key + "-next";
        application.send(key, key);
        application.send(next, next);
        await().atMost(Duration.ofMinutes(2)).until(() -> deferrals() - before >= 10);
        assertThat(entries(key)).containsExactly("main");
        assertThat(entries(next)).containsExactly("main");

        application.store().fail(otherOwner.get(0), Duration.ZERO);
        awaitEntries("main", "-retry-0");
        await().untilAsserted(() -> assertThat(entries(next)).containsExactly("main", "-retry-0"));
        assertThat(retried().retries(key)).isEqualTo(2);
        assertThat(application.journal().entries().indexOf("-retry-0 " + key))
                .isLessThan(application.journal().entries().indexOf("-retry-0 " + next));
    }

    @Test
    void aRecordInProgressIsNotSentToARetryTopic() {
        Lease otherOwner = application.store().occupy(key, SCOPE, UNTIL_THE_TEST_SAYS_SO);
        long before = deferrals();
        List<String> sent = new CopyOnWriteArrayList<>();
        beforeItGoesOn(() -> sent.add(key));
        application.send(key, key);
        await().atMost(Duration.ofMinutes(2)).until(() -> deferrals() - before >= 5);
        application.store().fail(otherOwner, Duration.ZERO);

        awaitEntries("main");
        assertThat(sent).isEmpty();
    }

    @Test
    void aDuplicateInARetryTopicIsAcknowledged() {
        failIn("main");
        beforeItGoesOn(() -> application
                .store()
                .complete(application.store().occupy(key, SCOPE, UNTIL_THE_TEST_SAYS_SO), StoredResult.NONE));
        int before = application.journal().events(ConsumerEvent.Duplicate.class).size();
        application.send(key, key);

        await().atMost(Duration.ofMinutes(2))
                .until(() -> application
                                .journal()
                                .events(ConsumerEvent.Duplicate.class)
                                .size()
                        == before + 1);
        await().atMost(Duration.ofMinutes(2)).until(() -> lag("-retry-0") == 0);
        assertThat(entries(key)).containsExactly("main");
    }

    private static long lag(String suffix) {
        String topic = application.topic() + suffix;
        return PublishedRecords.count(topic) - application.committed(application.topic(), new TopicPartition(topic, 0));
    }

    @Test
    void whatIdemRefusesForGoodSkipsTheOtherRetryTopics() {
        application.store().reject(application.store().occupy(key, SCOPE, UNTIL_THE_TEST_SAYS_SO), "no such account");
        application.send(key, key);
        awaitEntries("dead");
        assertDeadLetter(2, "its record is rejected: no such account");
    }

    @Test
    void whatIdemRefusesForGoodInARetryTopicStillSaysWhereItCameFrom() {
        failIn("main");
        beforeItGoesOn(() -> application
                .store()
                .reject(application.store().occupy(key, SCOPE, UNTIL_THE_TEST_SAYS_SO), "no such account"));
        application.send(key, key);
        awaitEntries("main", "dead");
        assertDeadLetter(3, "its record is rejected: no such account");
    }

    @Test
    void whereThereIsNoDeadLetterTopicTheSettingNamesOne() {
        String topic = application.topic() + "-hopeless";
        application
                .store()
                .reject(application.store().occupy(key, "hopeless", UNTIL_THE_TEST_SAYS_SO), "no such account");
        try (PublishedRecords letters = new PublishedRecords(topic + "-refused")) {
            application.send(new ProducerRecord<>(topic, 0, null, key), key);
            await().atMost(Duration.ofMinutes(2)).until(() -> letters.values().equals(List.of(key)));

            assertThat(letters.headers(IdempotencyHeaders.ORIGIN)).containsExactly(topic);
        }
    }

    @Test
    void aRecordWithoutAKeySkipsTheRetryTopicsToo() {
        application.sendAsItIs(new ProducerRecord<>(application.topic(), 0, null, key));
        awaitEntries("dead");
        assertThat(Retried.attempts(retried().letter(key))).isEqualTo(2);
    }

    private void assertDeadLetter(int attemptsOfTheTopics, String reason) {
        ConsumerRecord<String, String> letter = retried().letter(key);
        assertThat(Retried.attempts(letter)).isEqualTo(attemptsOfTheTopics);
        assertThat(header(letter, IdempotencyHeaders.REASON)).isEqualTo(reason);
        assertThat(header(letter, IdempotencyHeaders.ORIGIN)).isEqualTo(application.topic());
        assertThat(header(letter, IdempotencyHeaders.SCOPE)).isEqualTo(SCOPE);
        assertThat(header(letter, IdempotencyHeaders.ATTEMPTS)).isNotEmpty();
    }

    private static String header(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    @Test
    void aPositionAsTheKeyIsThatOfTheMainTopic() {
        application.sendAsItIs(new ProducerRecord<>(application.topic() + "-placed", 0, null, "one"));
        application.sendAsItIs(new ProducerRecord<>(application.topic() + "-placed", 0, null, "two"));

        Placed placed = application.bean(Placed.class);
        await().atMost(Duration.ofMinutes(2)).until(() -> placed.keys().size() == 4);
        assertThat(placed.keys()).doesNotHaveDuplicates().hasSize(4);
        assertThat(placed.keys().stream()
                        .map(entry -> entry.replaceFirst(" \\d$", ""))
                        .distinct())
                .hasSize(2)
                .allMatch(entry -> entry.startsWith(application.topic() + "-placed-0@"));
    }

    @Test
    void everyContainerHasOneHookExceptThoseOfDeadLetters() {
        for (MessageListenerContainer container :
                application.bean(KafkaListenerEndpointRegistry.class).getAllListenerContainers()) {
            String id = String.valueOf(container.getListenerId());
            assertThat(hooks(container)).as(id).isEqualTo(id.endsWith("-dlt") ? 0 : 1);
        }
    }

    private static long hooks(MessageListenerContainer container) {
        List<Object> chain = new ArrayList<>();
        Object current = container.getContainerProperties().getMessageListener();
        while (current instanceof DelegatingMessageListener<?> delegating) {
            chain.add(current);
            current = delegating.getDelegate();
        }
        return chain.stream().filter(IdempotentRecordListener.class::isInstance).count();
    }

    /** A listener with two retry topics and a handler of dead letters. */
    static class Retried {

        private final KafkaTestApplication.Journal journal;
        private final List<String> keys = new CopyOnWriteArrayList<>();
        private final Map<String, Integer> retries = new ConcurrentHashMap<>();
        private final Map<String, ConsumerRecord<String, String>> dead = new ConcurrentHashMap<>();
        private volatile Consumer<ConsumerRecord<String, String>> work = record -> {};

        Retried(KafkaTestApplication.Journal journal) {
            this.journal = journal;
        }

        void does(Consumer<ConsumerRecord<String, String>> what) {
            work = what;
        }

        List<String> keys() {
            return keys;
        }

        int retries(String value) {
            return Objects.requireNonNull(retries.get(value));
        }

        ConsumerRecord<String, String> letter(String value) {
            return Objects.requireNonNull(dead.get(value));
        }

        @RetryableTopic(
                attempts = "3",
                backOff = @BackOff(delay = 50, multiplier = 2),
                topicSuffixingStrategy = TopicSuffixingStrategy.SUFFIX_WITH_INDEX_VALUE)
        @KafkaListener(id = "retried", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        void on(ConsumerRecord<String, String> record, IdempotencyContext context) {
            journal.write(where(record) + " " + record.value());
            keys.add(context.key().value());
            retries.put(record.value(), attempts(record));
            work.accept(record);
        }

        @DltHandler
        void dead(ConsumerRecord<String, String> record) {
            dead.put(record.value(), record);
            journal.write("dead " + record.value());
        }

        static int attempts(ConsumerRecord<?, ?> record) {
            Header header = record.headers().lastHeader(RetryTopicHeaders.DEFAULT_HEADER_ATTEMPTS);
            return header == null ? 1 : ByteBuffer.wrap(header.value()).getInt();
        }
    }

    /** A listener whose records carry no key; fails in the main topic. */
    static class Placed {

        private final List<String> keys = new CopyOnWriteArrayList<>();

        List<String> keys() {
            return keys;
        }

        @RetryableTopic(attempts = "2", backOff = @BackOff(delay = 50))
        @KafkaListener(id = "placed", idIsGroup = false, topics = "${test.topic}-placed")
        @IdempotentListener(scope = "placed", keySources = KeySource.POSITION)
        void on(String body, IdempotencyContext context) {
            keys.add(context.key().value() + " " + context.attempt());
            if (context.attempt() == 1) {
                throw new IllegalStateException("card refused");
            }
        }
    }

    /** A listener whose failures are to end nowhere. */
    static class WithoutDeadLetters {

        @RetryableTopic(attempts = "2", backOff = @BackOff(delay = 50), dltStrategy = DltStrategy.NO_DLT)
        @KafkaListener(id = "hopeless", idIsGroup = false, topics = "${test.topic}-hopeless")
        @IdempotentListener(scope = "hopeless")
        void on(String body) {}
    }

    /** What goes on beside the listeners. */
    static class Observers {

        private final Map<String, Runnable> sends = new ConcurrentHashMap<>();

        @Bean
        DefaultKafkaProducerFactoryCustomizer observeSends() {
            ObservedSends.Observer observer = record -> {
                Header header = record.headers().lastHeader(IdempotencyHeaders.KEY);
                Runnable action =
                        header == null ? null : sends.remove(new String(header.value(), StandardCharsets.UTF_8));
                if (action != null) {
                    action.run();
                }
            };
            return factory -> factory.updateConfigs(Map.of(ObservedSends.OBSERVER, observer));
        }
    }
}
