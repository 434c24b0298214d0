package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.context.BatchContexts;
import io.idem.consumer.contract.Resettable;
import io.idem.consumer.contract.SharedApplications;
import io.idem.consumer.internal.kafka.message.KafkaMessageHeaders;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;

/** The keys of records that a listener publishes under the key of its own record. */
@Tag("servers")
class OwnMessageTest {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);
    private static final List<String> ITEMS = List.of("x", "y", "z");

    @RegisterExtension
    static final SharedApplications<KafkaTestApplication> APPLICATIONS = KafkaTestApplication.shared();

    private final PublishedRecords published = new PublishedRecords();

    @AfterEach
    void close() {
        published.close();
    }

    private static KafkaTestApplication start(Class<?> listener, Object... settings) {
        KafkaTestApplication.Builder builder = KafkaTestApplication.with(APPLICATIONS, listener);
        for (int i = 0; i < settings.length; i += 2) {
            builder.set(settings[i].toString(), settings[i + 1]);
        }
        return builder.start();
    }

    @SuppressWarnings("unchecked")
    private static void send(KafkaTestApplication application, ProducerRecord<String, String> record) {
        var unconfirmed = ((KafkaTemplate<String, String>) application.bean(KafkaTemplate.class)).send(record);
        assertThat(unconfirmed).isNotNull();
    }

    private static ProducerRecord<String, String> copy(
            ConsumerRecord<String, String> of, String topic, @Nullable String value) {
        return new ProducerRecord<>(topic, null, of.key(), value, of.headers());
    }

    private static void awaitEntries(KafkaTestApplication application, String... entries) {
        await().atMost(TIME_LIMIT)
                .untilAsserted(() -> assertThat(application.journal().entries()).containsExactlyInAnyOrder(entries));
        await().atMost(TIME_LIMIT).until(() -> application.store().settled());
    }

    private static RecordState state(KafkaTestApplication application, String key) {
        RecordId record = new RecordId(IdempotencyKey.of(key), new Scope(KafkaTestApplication.SCOPE));
        return application.store().inspect(record).map(RecordSnapshot::state).orElse(RecordState.ABSENT);
    }

    private void awaitItems(int number) {
        await().atMost(TIME_LIMIT).until(() -> published.values().size() == number);
    }

    @Test
    void aCopyToTheTopicThatTheRecordCameFromRunsAgain() {
        for (boolean propagating : new boolean[] {true, false}) {
            try (KafkaTestApplication application =
                    start(Raw.class, "idem.consumer.propagating-templates", propagating)) {
                application
                        .bean(Raw.class)
                        .first(2, record -> send(application, copy(record, record.topic(), record.value())));
                application.send("k1", "one");

                awaitEntries(application, "k1:one:1", "k1:one:2", "k1:one:3");
                await().atMost(TIME_LIMIT).until(() -> application.committed() == 3);
                assertThat(state(application, "k1")).isEqualTo(RecordState.COMPLETED);
            }
        }
    }

    @Test
    void itemsWithTheHeadersOfTheirRecordGetAKeyEach() {
        for (boolean propagating : new boolean[] {true, false}) {
            try (KafkaTestApplication application =
                            start(Raw.class, "idem.consumer.propagating-templates", propagating);
                    PublishedRecords items = new PublishedRecords()) {
                application
                        .bean(Raw.class)
                        .first(
                                1,
                                record -> ITEMS.forEach(item -> send(
                                        application,
                                        new ProducerRecord<>(items.topic(), null, item, item, record.headers()))));
                ProducerRecord<String, String> incoming = new ProducerRecord<>(application.topic(), "one");
                incoming.headers()
                        .add(IdempotencyHeaders.ROOT, utf8("root"))
                        .add(KafkaMessageHeaders.MESSAGE_ID, utf8("id"));
                application.send(incoming, "k1");
                await().atMost(TIME_LIMIT).until(() -> items.values().equals(ITEMS));

                assertThat(items.keys()).doesNotHaveDuplicates().doesNotContain("k1");
                assertThat(items.headers(IdempotencyHeaders.ROOT)).containsOnly("root");
                assertThat(items.headers(KafkaMessageHeaders.MESSAGE_ID))
                        .doesNotHaveDuplicates()
                        .doesNotContain("id");
                await().atMost(TIME_LIMIT).until(() -> state(application, "k1") == RecordState.COMPLETED);
            }
        }
    }

    @Test
    void whatOtherThreadsPublishIsToldByTheHeadersOfItsRecord() {
        try (KafkaTestApplication application = start(Raw.class)) {
            Consumer<ConsumerRecord<String, String>> work = record -> CompletableFuture.runAsync(() -> {
                        ITEMS.forEach(item -> send(application, copy(record, published.topic(), item)));
                        send(application, copy(record, record.topic(), record.value()));
                    })
                    .join();
            application.bean(Raw.class).first(1, work);
            application.send("k1", "one");
            awaitEntries(application, "k1:one:1", "k1:one:2");

            application.bean(Raw.class).first(1, work);
            ProducerRecord<String, String> encoded = new ProducerRecord<>(application.topic(), "two");
            encoded.headers()
                    .add(IdempotencyHeaders.KEY, utf8("\"k2\""))
                    .add("spring_json_header_types", utf8("{\"" + IdempotencyHeaders.KEY + "\":\"java.lang.String\"}"));
            send(application, encoded);

            awaitEntries(application, "k1:one:1", "k1:one:2", "k2:two:1", "k2:two:2");
            awaitItems(6);
            assertThat(published.keys()).doesNotHaveDuplicates().doesNotContain("k1", "k2", "\"k2\"");
            await().atMost(TIME_LIMIT).until(() -> state(application, "k1") == RecordState.COMPLETED);
            await().atMost(TIME_LIMIT).until(() -> state(application, "k2") == RecordState.COMPLETED);
        }
    }

    @Test
    void anotherValueBackToTheTopicIsANewOperation() {
        try (KafkaTestApplication application = start(Raw.class)) {
            application.bean(Raw.class).first(1, record -> send(application, copy(record, record.topic(), "rest")));
            application.send("k1", "one");

            await().atMost(TIME_LIMIT)
                    .until(() -> application.journal().entries().size() == 2);
            assertThat(application.journal().entries())
                    .contains("k1:one:1")
                    .anyMatch(entry -> entry.endsWith(":rest:1"))
                    .doesNotContain("k1:rest:1");
            await().atMost(TIME_LIMIT).until(() -> state(application, "k1") == RecordState.COMPLETED);
        }
    }

    /** As a delay topic does whose records are moved on. */
    private static void comesBack(KafkaTestApplication application, ConsumerRecord<String, String> parked) {
        application.sendAsItIs(
                new ProducerRecord<>(application.topic(), 0, parked.key(), parked.value(), parked.headers()));
    }

    static Stream<Arguments> listenersWithKeysOfTheApplication() {
        return Stream.of(ByRecordKey.class, ByHeader.class, ByField.class)
                .flatMap(listener -> Stream.of(true, false).map(propagating -> Arguments.of(listener, propagating)));
    }

    @ParameterizedTest
    @MethodSource("listenersWithKeysOfTheApplication")
    void aCopyElsewhereIsANewOperationAlsoUnderAKeyThatTheApplicationReads(
            Class<? extends Raw> listener, boolean propagating) {
        try (KafkaTestApplication application = start(listener, "idem.consumer.propagating-templates", propagating)) {
            application
                    .bean(listener)
                    .first(2, record -> send(application, copy(record, published.topic(), record.value())));
            ProducerRecord<String, String> incoming = new ProducerRecord<>(application.topic(), 0, "o7", "{\"id\":7}");
            incoming.headers().add("order-id", utf8("o7"));
            application.sendAsItIs(incoming);
            awaitItems(1);
            comesBack(application, published.all().get(0));
            awaitItems(2);
            comesBack(application, published.all().get(1));

            await().atMost(TIME_LIMIT).until(() -> application.committed() == 3);
            assertThat(application.journal().entries()).hasSize(3).doesNotHaveDuplicates();
            assertThat(application.journal().entries()).allMatch(entry -> entry.endsWith(":1"));

            application.sendAsItIs(
                    new ProducerRecord<>(application.topic(), 0, incoming.key(), incoming.value(), incoming.headers()));
            await().atMost(TIME_LIMIT).until(() -> application.committed() == 4);
            assertThat(application.journal().entries()).hasSize(3);
        }
    }

    @Test
    void itemsWithTheHeadersOfAnEventGetAnEventIdEach() {
        for (boolean propagating : new boolean[] {true, false}) {
            try (KafkaTestApplication application = start(
                            Raw.class,
                            "idem.consumer.propagating-templates",
                            propagating,
                            "idem.consumer.key-sources",
                            "cloud-events");
                    PublishedRecords items = new PublishedRecords()) {
                application
                        .bean(Raw.class)
                        .first(
                                1,
                                record -> ITEMS.forEach(item -> send(application, copy(record, items.topic(), item))));
                ProducerRecord<String, String> event = new ProducerRecord<>(application.topic(), 0, null, "one");
                event.headers().add("ce_id", utf8("e1")).add("ce_source", utf8("/shop"));
                application.sendAsItIs(event);
                await().atMost(TIME_LIMIT).until(() -> items.values().equals(ITEMS));

                assertThat(items.headers("ce_id"))
                        .doesNotHaveDuplicates()
                        .doesNotContainNull()
                        .doesNotContain("e1");
                assertThat(items.headers("ce_source")).containsOnly("/shop");
                await().atMost(TIME_LIMIT).until(() -> application.committed() == 1);
            }
        }
    }

    @Test
    void inABatchACopyElsewhereIsANewOperationUnderAKeyThatTheApplicationReads() {
        try (KafkaTestApplication application = start(BatchByField.class)) {
            BatchByField listener = application.bean(BatchByField.class);
            listener.does(record -> {
                if (record.value().contains("2") && listener.isFirst(record.value())) {
                    send(application, copy(record, published.topic(), record.value()));
                }
            });
            Stream.of("{\"id\":1}", "{\"id\":2}")
                    .forEach(
                            value -> application.sendAsItIs(new ProducerRecord<>(application.topic(), 0, null, value)));
            listener.start(application);
            awaitItems(1);
            comesBack(application, published.all().get(0));

            await().atMost(TIME_LIMIT).until(() -> application.committed() == 3);
            assertThat(application.journal().entries()).hasSize(3).doesNotHaveDuplicates();
        }
    }

    @Test
    void aScopeMayKeepTheIncomingKey() {
        try (KafkaTestApplication application = start(Raw.class, "idem.scopes.payments.keep-incoming-key", true)) {
            application
                    .bean(Raw.class)
                    .first(1, record -> send(application, copy(record, published.topic(), record.value())));
            application.send("k1", "one");
            awaitItems(1);

            assertThat(published.keys()).containsExactly("k1");
            await().atMost(TIME_LIMIT).until(() -> state(application, "k1") == RecordState.COMPLETED);
        }
    }

    @Test
    void inABatchACopyIsOfTheRecordWhoseKeyItCarries() {
        try (KafkaTestApplication application = start(Batch.class)) {
            Batch listener = application.bean(Batch.class);
            listener.does(record -> {
                if (record.value().equals("two") && listener.isFirst("two")) {
                    send(application, copy(record, record.topic(), record.value()));
                } else if (record.value().equals("three")) {
                    ITEMS.forEach(item -> send(application, copy(record, published.topic(), item)));
                } else if (record.value().equals("four") && listener.isFirst("four")) {
                    CompletableFuture.runAsync(() -> send(application, copy(record, record.topic(), record.value())))
                            .join();
                }
            });
            Stream.of("one", "two", "three", "four").forEach(value -> application.send("k-" + value, value));
            listener.start(application);

            awaitItems(3);
            awaitEntries(
                    application,
                    "k-one:one:1",
                    "k-two:two:1",
                    "k-three:three:1",
                    "k-four:four:1",
                    "k-two:two:2",
                    "k-four:four:2");
            assertThat(published.keys()).doesNotHaveDuplicates().doesNotContain("k-three");
            await().atMost(TIME_LIMIT)
                    .until(() -> Stream.of("k-one", "k-two", "k-three", "k-four")
                            .allMatch(key -> state(application, key) == RecordState.COMPLETED));
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String entry(ConsumerRecord<String, String> record, IdempotencyContext context) {
        return context.key().value() + ":" + record.value() + ":" + context.attempt();
    }

    /** Takes records one by one. */
    static class Raw implements Resettable {

        private final Journal journal;
        private final AtomicInteger calls = new AtomicInteger();
        private volatile Consumer<ConsumerRecord<String, String>> work = record -> {};

        Raw(Journal journal) {
            this.journal = journal;
        }

        /** The first so many calls do this. */
        void first(int number, Consumer<ConsumerRecord<String, String>> what) {
            calls.set(number);
            work = what;
        }

        @Override
        public void reset() {
            first(0, record -> {});
        }

        @KafkaListener(id = "raw", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = KafkaTestApplication.SCOPE)
        void on(ConsumerRecord<String, String> record, IdempotencyContext context) {
            journal.write(entry(record, context));
            if (calls.getAndDecrement() > 0) {
                work.accept(record);
            }
        }
    }

    /** Has its key from the record's own. */
    static class ByRecordKey extends Raw {

        ByRecordKey(Journal journal) {
            super(journal);
        }

        @Override
        @KafkaListener(id = "raw", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = KafkaTestApplication.SCOPE, key = "message.key()")
        void on(ConsumerRecord<String, String> record, IdempotencyContext context) {
            super.on(record, context);
        }
    }

    /** Has its key from a header of the application's own. */
    static class ByHeader extends Raw {

        ByHeader(Journal journal) {
            super(journal);
        }

        @Override
        @KafkaListener(id = "raw", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = KafkaTestApplication.SCOPE, key = "headers['order-id']")
        void on(ConsumerRecord<String, String> record, IdempotencyContext context) {
            super.on(record, context);
        }
    }

    /** Has its key from the value. */
    static class ByField extends Raw {

        ByField(Journal journal) {
            super(journal);
        }

        @Override
        @KafkaListener(id = "raw", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = KafkaTestApplication.SCOPE, keyFields = "/id")
        void on(ConsumerRecord<String, String> record, IdempotencyContext context) {
            super.on(record, context);
        }
    }

    /** Has the keys of its records from their values. */
    static class BatchByField extends Batch {

        BatchByField(Journal journal) {
            super(journal);
        }

        @Override
        @KafkaListener(
                id = "batch",
                idIsGroup = false,
                topics = "${test.topic}",
                batch = "true",
                autoStartup = "false",
                properties = "auto.offset.reset=earliest")
        @IdempotentListener(scope = KafkaTestApplication.SCOPE, keyFields = "/id")
        void on(List<ConsumerRecord<String, String>> records) {
            super.on(records);
        }
    }

    /** Takes all records at once that are there when it starts. */
    static class Batch implements Resettable {

        private final Journal journal;
        private volatile Consumer<ConsumerRecord<String, String>> work = record -> {};

        Batch(Journal journal) {
            this.journal = journal;
        }

        void does(Consumer<ConsumerRecord<String, String>> what) {
            work = what;
        }

        boolean isFirst(String value) {
            return journal.entries().stream()
                            .filter(entry -> entry.contains(":" + value + ":"))
                            .count()
                    == 1;
        }

        void start(KafkaTestApplication application) {
            Optional.ofNullable(application
                            .bean(KafkaListenerEndpointRegistry.class)
                            .getListenerContainer("batch"))
                    .orElseThrow()
                    .start();
        }

        @Override
        public void reset() {
            does(record -> {});
        }

        @KafkaListener(
                id = "batch",
                idIsGroup = false,
                topics = "${test.topic}",
                batch = "true",
                autoStartup = "false",
                properties = "auto.offset.reset=earliest")
        @IdempotentListener(scope = KafkaTestApplication.SCOPE)
        void on(List<ConsumerRecord<String, String>> records) {
            for (int i = 0; i < records.size(); i++) {
                IdempotencyContext context = BatchContexts.current().get(i);
                journal.write(entry(records.get(i), Objects.requireNonNull(context)));
                work.accept(records.get(i));
            }
        }
    }
}
