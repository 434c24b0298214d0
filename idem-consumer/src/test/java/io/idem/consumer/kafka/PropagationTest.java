package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.DerivedKeys;
import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.kafka.message.KafkaMessageHeaders;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.SenderContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.util.backoff.FixedBackOff;

/** What idempotent work publishes carries the trace of keys on, under keys that every attempt repeats. */
@Tag("servers")
class PropagationTest {

    private static final Scope SCOPE = new Scope(KafkaTestApplication.SCOPE);

    private final PublishedRecords published = new PublishedRecords();

    @AfterEach
    void close() {
        published.close();
    }

    @Test
    void everyRecordGetsAKeyOfItsOwnAndTheStorysRootAndTenant() {
        try (KafkaTestApplication application = start()) {
            publishing(application, template -> {
                send(template, "a");
                send(template, "b");
            });
            ProducerRecord<String, String> incoming = new ProducerRecord<>(application.topic(), 0, null, "one");
            incoming.headers().add(IdempotencyHeaders.TENANT, utf8("acme")).add(IdempotencyHeaders.ROOT, utf8("root"));
            application.send(incoming, "k1");
            await().until(() -> published.values().equals(List.of("a", "b")));

            assertThat(published.keys()).containsExactly(derived("k1", "#1"), derived("k1", "#2"));
            assertThat(published.headers(IdempotencyHeaders.TENANT)).containsExactly("acme", "acme");
            assertThat(published.headers(IdempotencyHeaders.ROOT)).containsExactly("root", "root");
            assertThat(published.headers(KafkaMessageHeaders.MESSAGE_ID))
                    .containsExactly(
                            new IdempotencyKey("acme", derived("k1", "#1")).id(),
                            new IdempotencyKey("acme", derived("k1", "#2")).id());
        }
    }

    @Test
    void anotherAttemptRepeatsTheKeys() {
        try (KafkaTestApplication application = start()) {
            AtomicInteger failures = new AtomicInteger(1);
            publishing(application, template -> {
                send(template, "a");
                send(template, "b");
                if (failures.getAndDecrement() > 0) {
                    throw new IllegalStateException("after publishing");
                }
            });
            application.send("k1", "one");
            await().until(() -> published.values().equals(List.of("a", "b", "a", "b")));

            assertThat(published.keys())
                    .containsExactly(
                            derived("k1", "#1"), derived("k1", "#2"), derived("k1", "#1"), derived("k1", "#2"));
        }
    }

    @Test
    void headersThatAreThereAlreadyAreLeftAlone() {
        try (KafkaTestApplication application = start()) {
            publishing(application, template -> {
                ProducerRecord<String, String> own = new ProducerRecord<>(published.topic(), "own");
                own.headers().add(IdempotencyHeaders.KEY, utf8("mine")).add(IdempotencyHeaders.TENANT, utf8("other"));
                send(template, own);
                ProducerRecord<String, String> standard = new ProducerRecord<>(published.topic(), "standard");
                standard.headers().add(IdempotencyHeaders.STANDARD_KEY, utf8("theirs"));
                send(template, standard);
                send(template, "ours");
            });
            application.send("k1", "one");
            await().until(() -> published.values().size() == 3);

            assertThat(published.keys()).containsExactly("mine", "theirs", derived("k1", "#1"));
            assertThat(published.headers(IdempotencyHeaders.TENANT)).containsExactly("other", "default", "default");
            assertThat(published.headers(IdempotencyHeaders.ROOT)).containsExactly("k1", "k1", "k1");
        }
    }

    @Test
    void theCallersRecordIsNotChangedAndMayBeSentTwice() {
        try (KafkaTestApplication application = start()) {
            ProducerRecord<String, String> reused = new ProducerRecord<>(published.topic(), "twice");
            publishing(application, template -> {
                send(template, reused);
                send(template, reused);
            });
            application.send("k1", "one");
            await().until(() -> published.values().size() == 2);

            assertThat(published.keys()).containsExactly(derived("k1", "#1"), derived("k1", "#2"));
            assertThat(reused.headers()).isEmpty();
        }
    }

    @Test
    void theApplicationsOwnTemplatesCarryKeysOnToo() {
        try (KafkaTestApplication application = start("idem.consumer.propagating-templates", false)) {
            assertThat(application.bean(KafkaTemplate.class)).isNotInstanceOf(PropagatingKafkaTemplate.class);
            publishing(application, template -> send(template, "a"));
            application.send("k1", "one");
            await().until(() -> published.values().size() == 1);

            assertThat(published.keys()).containsExactly(derived("k1", "#1"));
        }
    }

    @Test
    void outsideIdempotentWorkNothingIsAdded() {
        try (KafkaTestApplication application = start()) {
            send(template(application), "plain");
            await().until(() -> published.values().size() == 1);

            assertThat(published.all().get(0).headers()).isEmpty();
        }
    }

    @Test
    void theUsersOwnInterceptorsAndPostProcessorsStayInPlace() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Listeners.Plain.class, OwnProducers.class)
                .set("spring.kafka.producer.properties.interceptor.classes", Stamp.class.getName())
                .start()) {
            publishing(application, template -> send(template, "a"));
            application.send("k1", "one");
            await().until(() -> published.values().size() == 1);

            assertThat(published.headers("stamp")).containsExactly("stamped");
            assertThat(application.bean(OwnProducers.class).made()).isPositive();
        }
    }

    @Test
    void workIsNotDoneBeforeWhatItPublishedIsConfirmed() {
        for (boolean propagating : new boolean[] {true, false}) {
            try (KafkaTestApplication application = KafkaTestApplication.with(
                            Listeners.Plain.class, RefusingProducers.class)
                    .set("idem.consumer.propagating-templates", propagating)
                    .start()) {
                RefusingProducers producers = application.bean(RefusingProducers.class);
                List<Integer> refusedAtComplete = new CopyOnWriteArrayList<>();
                application.store().beforeComplete(() -> refusedAtComplete.add(producers.left()));
                publishing(application, template -> send(template, "a"));
                application.send("k1", "one");
                await().until(() -> application.committed() == 1);

                assertThat(refusedAtComplete).containsExactly(0);
                assertThat(application.journal().entries()).containsExactly("one");
                assertThat(producers.values()).containsExactly("a", "a", "a");
                assertThat(producers.keys()).hasSize(1);
            }
        }
    }

    @Test
    void aDeadLetterKeepsTheHeadersItCameWith() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Listeners.Plain.class, DeadLetters.class)
                        .start();
                PublishedRecords letters = new PublishedRecords(application.topic() + "-dlt")) {
            application.bean(Listeners.Plain.class).does(record -> {
                throw new IllegalStateException("card refused");
            });
            application.send("k1", "one");
            await().until(() -> letters.values().equals(List.of("one")));

            List<Header> keys = StreamSupport.stream(
                            letters.all()
                                    .get(0)
                                    .headers()
                                    .headers(IdempotencyHeaders.KEY)
                                    .spliterator(),
                            false)
                    .toList();
            assertThat(keys)
                    .singleElement()
                    .satisfies(key -> assertThat(key.value()).isEqualTo(utf8("k1")));
        }
    }

    @Test
    void exactlyOneTraceparentGoesWithARecordHoweverOftenItIsSent() {
        for (boolean propagating : new boolean[] {true, false}) {
            try (KafkaTestApplication application = KafkaTestApplication.with(
                            Listeners.Plain.class, RefusingProducers.class, Tracing.class)
                    .set("spring.kafka.template.observation-enabled", true)
                    .set("idem.consumer.propagating-templates", propagating)
                    .start()) {
                publishing(application, template -> send(template, "a"));
                ProducerRecord<String, String> incoming = new ProducerRecord<>(application.topic(), 0, null, "one");
                incoming.headers().add(Tracing.TRACEPARENT, utf8("the producer's"));
                application.send(incoming, "k1");
                await().until(() -> application.committed() == 1);

                assertThat(application.bean(RefusingProducers.class).headers(Tracing.TRACEPARENT))
                        .hasSize(3)
                        .allSatisfy(values ->
                                assertThat(values).singleElement().asString().startsWith("00-"));
            }
        }
    }

    @Test
    void repliesCarryAKeyOfTheirOwnOnRequestOnly() {
        for (boolean wanted : new boolean[] {true, false}) {
            try (KafkaTestApplication application = KafkaTestApplication.with(Answering.class, AnsweringAsync.class)
                            .set("test.replies", published.topic() + "-" + wanted)
                            .set("test.late-replies", published.topic() + "-late-" + wanted)
                            .set("idem.consumer.reply-headers", wanted)
                            .start();
                    PublishedRecords replies = new PublishedRecords(published.topic() + "-" + wanted);
                    PublishedRecords late = new PublishedRecords(published.topic() + "-late-" + wanted)) {
                application.send("k1", "one");
                application.send("k1", "one");
                application.send("k2", "two");
                await().until(() -> replies.values().equals(List.of("done one", "done one", "done two")));
                await().until(() -> late.values().equals(List.of("done one", "done one", "done two")));

                assertReplies(replies, wanted);
                assertReplies(late, wanted);
            }
        }
    }

    private static void assertReplies(PublishedRecords replies, boolean withKeys) {
        List<@Nullable String> keys = replies.keys();
        if (withKeys) {
            assertThat(keys).doesNotContainNull().doesNotContain("k1", "k2");
            assertThat(keys.get(1)).isEqualTo(keys.get(0)).isNotEqualTo(keys.get(2));
            assertThat(replies.headers(IdempotencyHeaders.ROOT)).containsExactly("k1", "k1", "k2");
        } else {
            assertThat(keys).containsOnlyNulls();
        }
    }

    /** Answers to a topic, after its return. */
    static class AnsweringAsync {

        private final Executor threads = task -> new Thread(task).start();

        @KafkaListener(id = "late", topics = "${test.topic}", properties = "max.poll.records=1")
        @IdempotentListener(scope = "late")
        @SendTo("${test.late-replies}")
        CompletableFuture<String> answer(String body) {
            return CompletableFuture.supplyAsync(() -> "done " + body, threads);
        }
    }

    /** Answers to a topic. */
    static class Answering {

        @KafkaListener(id = "answering", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = KafkaTestApplication.SCOPE)
        @SendTo("${test.replies}")
        String answer(String body) {
            return "done " + body;
        }
    }

    /** Writes what a tracer writes, without one. */
    static class Tracing {

        static final String TRACEPARENT = "traceparent";

        @Bean
        ObservationRegistry observations() {
            ObservationRegistry registry = ObservationRegistry.create();
            AtomicInteger spans = new AtomicInteger();
            registry.observationConfig().observationHandler(new ObservationHandler<SenderContext<Object>>() {

                @Override
                public void onStart(SenderContext<Object> context) {
                    context.getSetter()
                            .set(
                                    Objects.requireNonNull(context.getCarrier()),
                                    TRACEPARENT,
                                    "00-" + spans.incrementAndGet());
                }

                @Override
                public boolean supportsContext(Observation.Context context) {
                    return context instanceof SenderContext;
                }
            });
            return registry;
        }
    }

    private static KafkaTestApplication start(Object... settings) {
        KafkaTestApplication.Builder builder = KafkaTestApplication.with(Listeners.Plain.class);
        for (int i = 0; i < settings.length; i += 2) {
            builder.set(settings[i].toString(), settings[i + 1]);
        }
        return builder.start();
    }

    private static void publishing(KafkaTestApplication application, Consumer<KafkaTemplate<String, String>> work) {
        KafkaTemplate<String, String> template = template(application);
        application.bean(Listeners.Plain.class).does(record -> work.accept(template));
    }

    @SuppressWarnings("unchecked")
    private static KafkaTemplate<String, String> template(KafkaTestApplication application) {
        return (KafkaTemplate<String, String>) application.bean(KafkaTemplate.class);
    }

    private void send(KafkaTemplate<String, String> template, String value) {
        send(template, new ProducerRecord<>(published.topic(), 0, null, value));
    }

    private static void send(KafkaTemplate<String, String> template, ProducerRecord<String, String> record) {
        var unconfirmed = template.send(record);
        assertThat(unconfirmed).isNotNull();
    }

    private String derived(String root, String name) {
        return DerivedKeys.derive(root, SCOPE, published.topic(), name);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A user's interceptor. */
    public static final class Stamp implements ProducerInterceptor<Object, Object> {

        @Override
        public ProducerRecord<Object, Object> onSend(ProducerRecord<Object, Object> record) {
            record.headers().add("stamp", utf8("stamped"));
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception) {}

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }

    /** A user's post-processor. */
    static class OwnProducers {

        private final AtomicInteger made = new AtomicInteger();

        int made() {
            return made.get();
        }

        @Bean
        DefaultKafkaProducerFactoryCustomizer count() {
            return factory -> factory.addPostProcessor(producer -> {
                made.incrementAndGet();
                return producer;
            });
        }
    }

    /** Producers whose broker refuses the first two sends after they were handed over. */
    static class RefusingProducers {

        private final AtomicInteger left = new AtomicInteger(2);
        private final List<ProducerRecord<?, ?>> sent = new CopyOnWriteArrayList<>();

        int left() {
            return Math.max(0, left.get());
        }

        List<Object> values() {
            return sent.stream().<Object>map(ProducerRecord::value).toList();
        }

        List<String> keys() {
            return sent.stream()
                    .map(record -> record.headers().lastHeader(IdempotencyHeaders.KEY))
                    .map(key -> new String(key.value(), StandardCharsets.UTF_8))
                    .distinct()
                    .toList();
        }

        /** All values of a header, for each record. */
        List<List<String>> headers(String name) {
            return sent.stream()
                    .map(record -> StreamSupport.stream(
                                    record.headers().headers(name).spliterator(), false)
                            .map(header -> new String(header.value(), StandardCharsets.UTF_8))
                            .toList())
                    .toList();
        }

        @Bean
        DefaultKafkaProducerFactoryCustomizer refuse() {
            return factory -> factory.addPostProcessor(real -> refusing());
        }

        private <K, V> Producer<K, V> refusing() {
            return new MockProducer<>() {
                @Override
                public synchronized java.util.concurrent.Future<RecordMetadata> send(
                        ProducerRecord<K, V> record, org.apache.kafka.clients.producer.Callback callback) {
                    sent.add(record);
                    if (left.getAndDecrement() > 0) {
                        callback.onCompletion(null, new IllegalStateException("refused by the test"));
                    } else {
                        callback.onCompletion(
                                new RecordMetadata(
                                        new org.apache.kafka.common.TopicPartition(record.topic(), 0), 0, 0, 0, 0, 0),
                                null);
                    }
                    return new java.util.concurrent.CompletableFuture<>();
                }
            };
        }
    }

    /** The usual recoverer. */
    static class DeadLetters {

        @Bean
        DefaultErrorHandler errorHandler(ProducerFactory<Object, Object> producers) {
            return new DefaultErrorHandler(
                    new DeadLetterPublishingRecoverer(new KafkaTemplate<>(producers)), new FixedBackOff(0, 1));
        }
    }
}
