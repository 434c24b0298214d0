package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.kafka.message.KafkaMessageHeaders;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import io.idem.operations.OperatorAct;
import io.idem.operations.RecordOperator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ContainerCustomizer;
import org.springframework.kafka.config.ContainerPostProcessor;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.util.backoff.FixedBackOff;

/** Everything that the application has configured for its listeners stays in force. */
@Tag("servers")
class ApplicationsOwnTest {

    @Test
    void itsInterceptorAndItsCustomizerAreApplied() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        Listeners.Plain.class, InterceptorAndCustomizer.class)
                .start()) {
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(application.journal().entries()).containsExactly("customized plain", "intercepted", "one");
        }
    }

    @Test
    void itsContainerPostProcessorIsChainedHoweverItIsNamed() {
        try (KafkaTestApplication application = KafkaTestApplication.with(PostProcessed.class, OwnPostProcessor.class)
                .set("own", "own")
                .start()) {
            application.send("k1", "one");
            application.send("k1", "again");
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries())
                    .containsExactlyInAnyOrder("by name", "by expression", "by placeholder", "one");
        }
    }

    @Test
    void itsFilterDecidesFirst() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Listeners.Plain.class, OwnFilter.class)
                .start()) {
            application.send("k1", "unwanted");
            application.send("k1", "one");
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("one");
        }
    }

    @Test
    void tombstonesAndRecordsWithoutARecordKeyAreOrdinaryRecords() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(Listeners.Plain.class).start()) {
            application.send("k1", null);
            application.send("k1", null);
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("null");
        }
    }

    @Test
    void aRecordThatCannotBeReadGoesToItsErrorHandlerAndTakesNoLease() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Listeners.Plain.class, OwnHandler.class)
                .set(
                        "spring.kafka.consumer.value-deserializer",
                        "org.springframework.kafka.support.serializer.ErrorHandlingDeserializer")
                .set(
                        "spring.kafka.consumer.properties.spring.deserializer.value.delegate.class",
                        Unreadable.class.getName())
                .start()) {
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(application.journal().entries()).containsExactly("recovered DeserializationException");
            assertThat(application.store().look("k1", KafkaTestApplication.SCOPE))
                    .isEmpty();
        }
    }

    @Test
    void handlersOfOneClassAreGuardedEachForItself() {
        try (KafkaTestApplication application = KafkaTestApplication.with(ManyHandlers.class)
                .set("spring.kafka.consumer.value-deserializer", WordOrNumber.class.getName())
                .start()) {
            for (String value : List.of("one", "one", "1", "1")) {
                ProducerRecord<String, String> record = new ProducerRecord<>(application.topic(), 0, null, value);
                application.send(record, "k1");
            }
            await().until(() -> application.committed() == 4);

            assertThat(application.journal().entries())
                    .containsExactly("guarded one k1 k1", "unguarded 1", "unguarded 1");
        }
    }

    @Test
    void theMessageIdIsAKeyOnRequest() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Listeners.Plain.class)
                .set("idem.consumer.key-sources", "message-id")
                .start()) {
            for (int i = 0; i < 2; i++) {
                ProducerRecord<String, String> record = new ProducerRecord<>(application.topic(), 0, null, "one");
                record.headers().add(KafkaMessageHeaders.MESSAGE_ID, "m1".getBytes(StandardCharsets.UTF_8));
                application.sendAsItIs(record);
            }
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("one");
        }
    }

    @Test
    void deadLettersGoToTheTopicThatIsConfiguredAndSayWhy() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Listeners.Plain.class, OwnHandler.class)
                        .set("idem.consumer.kafka.dead-letter.topic-suffix", "-refused")
                        .start();
                PublishedRecords letters = new PublishedRecords(application.topic() + "-refused")) {
            application
                    .store()
                    .reject(
                            application.store().occupy("k1", KafkaTestApplication.SCOPE, Duration.ofMinutes(5)),
                            "no such account");
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);
            await().until(() -> letters.values().equals(List.of("one")));

            assertThat(letters.headers(IdempotencyHeaders.REASON))
                    .containsExactly("its record is rejected: no such account");
            assertThat(letters.headers(IdempotencyHeaders.ORIGIN)).containsExactly(application.topic());
            assertThat(letters.headers(IdempotencyHeaders.SCOPE)).containsExactly(KafkaTestApplication.SCOPE);
            assertThat(letters.headers(IdempotencyHeaders.ATTEMPTS)).containsExactly("0");
            assertThat(letters.keys()).containsExactly("k1");
            assertThat(application.journal().entries()).isEmpty();
        }
    }

    /** What an operator does: remove the cause, reopen the record, move the dead letter back with all its headers. */
    @Test
    void aDeadLetterThatIsMovedBackRunsOnceItsRecordIsReopened() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Listeners.Plain.class, OwnHandler.class)
                        .set("idem.consumer.kafka.dead-letter.topic-suffix", "-refused")
                        .start();
                PublishedRecords letters = new PublishedRecords(application.topic() + "-refused")) {
            application
                    .store()
                    .reject(
                            application.store().occupy("k1", KafkaTestApplication.SCOPE, Duration.ofMinutes(5)),
                            "no such account");
            application.send("k1", "one");
            await().until(() -> letters.all().size() == 1);
            moveBack(application, letters.all().get(0));
            await().until(() -> letters.all().size() == 2);
            assertThat(application.journal().entries()).isEmpty();

            assertThat(application
                            .bean(RecordOperator.class)
                            .act(
                                    OperatorAct.Action.REOPEN,
                                    new RecordId(IdempotencyKey.of("k1"), new Scope(KafkaTestApplication.SCOPE)),
                                    "anna",
                                    "ticket 7")
                            .done())
                    .isTrue();
            moveBack(application, letters.all().get(1));
            moveBack(application, letters.all().get(1));
            await().until(() -> application.committed() == 4);

            assertThat(application.journal().entries()).containsExactly("one");
            assertThat(letters.all()).hasSize(2);
        }
    }

    private static void moveBack(KafkaTestApplication application, ConsumerRecord<String, String> letter) {
        application.sendAsItIs(
                new ProducerRecord<>(application.topic(), 0, letter.key(), letter.value(), letter.headers()));
    }

    @Test
    void withoutADeadLetterTopicItsRecovererGetsThemAtOnce() {
        try (KafkaTestApplication application = KafkaTestApplication.with(Listeners.Plain.class, OwnHandler.class)
                .start()) {
            application
                    .store()
                    .reject(
                            application.store().occupy("k1", KafkaTestApplication.SCOPE, Duration.ofMinutes(5)),
                            "no such account");
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(application.journal().entries()).containsExactly("recovered KafkaDeadLetterException");
            assertThat(application.journal().events(ConsumerEvent.DeadLettered.class))
                    .hasSize(1);
        }
    }

    /** An interceptor and a customizer, of which Spring Boot wants one each. */
    static class InterceptorAndCustomizer {

        @Bean
        RecordInterceptor<Object, Object> interceptor(Journal journal) {
            return (record, consumer) -> {
                journal.write("intercepted");
                return record;
            };
        }

        @Bean
        ContainerCustomizer<Object, Object, ConcurrentMessageListenerContainer<Object, Object>> customizer(
                Journal journal) {
            return container -> journal.write("customized " + container.getListenerId());
        }
    }

    /** A post-processor that says who asked. */
    static class OwnPostProcessor {

        @Bean
        ContainerPostProcessor<Object, Object, AbstractMessageListenerContainer<Object, Object>> own(Journal journal) {
            return container -> journal.write(container.getListenerId());
        }
    }

    /** The three ways to refer to a post-processor. */
    static class PostProcessed {

        private final Journal journal;

        PostProcessed(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "by name", idIsGroup = false, topics = "${test.topic}", containerPostProcessor = "own")
        @IdempotentListener(scope = "by-name")
        void name(String body) {
            journal.write(body);
        }

        @KafkaListener(
                id = "by expression",
                groupId = "unused-1",
                topics = "unused",
                containerPostProcessor = "#{@own}",
                autoStartup = "false")
        @IdempotentListener(scope = "by-expression")
        void expression(String body) {}

        @KafkaListener(
                id = "by placeholder",
                groupId = "unused-2",
                topics = "unused",
                containerPostProcessor = "${own}",
                autoStartup = "false")
        @IdempotentListener(scope = "by-placeholder")
        void placeholder(String body) {}
    }

    /** A filter. */
    static class OwnFilter {

        @Bean
        RecordFilterStrategy<Object, Object> filter() {
            return record -> "unwanted".equals(record.value());
        }
    }

    /** A handler that notes what it recovers. */
    static class OwnHandler {

        @Bean
        DefaultErrorHandler errorHandler(Journal journal) {
            return new DefaultErrorHandler(
                    (record, failure) -> journal.write("recovered "
                            + (failure.getCause() == null ? failure : failure.getCause())
                                    .getClass()
                                    .getSimpleName()),
                    new FixedBackOff(0, 2));
        }
    }

    /** Reads nothing. */
    public static final class Unreadable implements Deserializer<Object> {

        @Override
        public Object deserialize(String topic, byte[] data) {
            throw new IllegalStateException("unreadable");
        }
    }

    /** Digits are numbers, all else is text. */
    public static final class WordOrNumber implements Deserializer<Object> {

        @Override
        public Object deserialize(String topic, byte[] data) {
            String text = new String(data, StandardCharsets.UTF_8);
            return text.matches("[0-9]+") ? (Object) Integer.valueOf(text) : text;
        }
    }

    /** One guarded handler, one that is not. */
    @KafkaListener(id = "many", idIsGroup = false, topics = "${test.topic}")
    static class ManyHandlers {

        private final Journal journal;

        ManyHandlers(Journal journal) {
            this.journal = journal;
        }

        @KafkaHandler
        @IdempotentListener(scope = "words")
        void word(@Payload String body, IdempotencyContext context, IdempotencyKey key) {
            journal.write("guarded " + body + " " + context.key().value() + " " + key.value());
        }

        @KafkaHandler
        void number(@Payload Integer body) {
            journal.write("unguarded " + body);
        }
    }
}
