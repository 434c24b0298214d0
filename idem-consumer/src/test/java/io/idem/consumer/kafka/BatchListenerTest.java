package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.contract.Resettable;
import io.idem.consumer.contract.SharedApplications;
import io.idem.consumer.contract.ShortPauses;
import io.idem.consumer.kafka.BatchListenersOfTests.ByPrefix;
import io.idem.consumer.kafka.BatchListenersOfTests.Plain;
import io.idem.consumer.kafka.BatchListenersOfTests.Shapes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.listener.RetryListener;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;
import org.springframework.util.backoff.FixedBackOff;

/** Batches in the modes in which the container acknowledges. */
@Tag("servers")
class BatchListenerTest {

    @RegisterExtension
    static final SharedApplications<KafkaTestApplication> APPLICATIONS = KafkaTestApplication.shared();

    private static final Duration UNTIL_THE_TEST_SAYS_SO = Duration.ofMinutes(5);
    private static final List<String> SHAPES = List.of("payloads", "messages", "records", "polled");

    private static KafkaTestApplication.Builder plain() {
        return KafkaTestApplication.with(APPLICATIONS, Plain.class, Handler.class);
    }

    /** Only then: what was sent before comes as one batch. */
    static void startListener(KafkaTestApplication application, String id) {
        requireContainer(application, id).start();
    }

    private static MessageListenerContainer requireContainer(KafkaTestApplication application, String id) {
        return Objects.requireNonNull(
                application.bean(KafkaListenerEndpointRegistry.class).getListenerContainer(id));
    }

    private static List<String> recovered(KafkaTestApplication application) {
        return application.bean(Handler.class).recovered();
    }

    private static RecordState state(KafkaTestApplication application, String key) {
        return application.store().look(key, SCOPE).orElseThrow().state();
    }

    @Test
    void everyParameterShapeGetsTheNewRecordsUpToTheFirstOneInProgress() {
        try (KafkaTestApplication application =
                KafkaTestApplication.with(APPLICATIONS, Shapes.class).start()) {
            Map<String, Lease> otherOwner = new HashMap<>();
            for (String shape : SHAPES) {
                application
                        .store()
                        .complete(application.store().occupy("k0", shape, UNTIL_THE_TEST_SAYS_SO), StoredResult.NONE);
                otherOwner.put(shape, application.store().occupy("k3", shape, UNTIL_THE_TEST_SAYS_SO));
            }
            for (int i = 0; i < 5; i++) {
                application.send("k" + i, "v" + i);
            }
            application.send("k1", "v1");
            SHAPES.forEach(shape -> startListener(application, shape));
            SHAPES.forEach(shape -> await().untilAsserted(
                            () -> assertThat(application.committed(shape, 0)).isEqualTo(3)));
            assertThat(application.journal().entries()).noneMatch(entry -> entry.contains("v3"));

            otherOwner.values().forEach(lease -> application.store().fail(lease, Duration.ZERO));
            SHAPES.forEach(shape -> await().untilAsserted(
                            () -> assertThat(application.committed(shape, 0)).isEqualTo(6)));

            SHAPES.forEach(shape -> assertThat(application.journal().entries())
                    .filteredOn(entry -> entry.startsWith(shape))
                    .extracting(entry -> entry.substring(shape.length() + 1).replaceAll("/k.*", ""))
                    .containsExactly("v1", "v2", "v3", "v4"));
            assertThat(application.journal().entries()).contains("payloads:v1/k1", "payloads:v4/k4");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"count", "time"})
    void everyModeOfTheContainerCommitsWhatIsDone(String mode) {
        try (KafkaTestApplication application = plain().set("spring.kafka.listener.ack-mode", mode)
                .set("spring.kafka.listener.ack-count", 1)
                .set("spring.kafka.listener.ack-time", "50ms")
                .start()) {
            application.send("k1", "one");
            application.send("k2", "two");
            application.send("k1", "one");
            startListener(application, "plain");
            await().until(() -> application.committed() == 3);

            assertThat(application.journal().entries()).containsExactly("one", "two");
        }
    }

    @Test
    void aBatchOfDuplicatesDoesNotReachTheListener() {
        try (KafkaTestApplication application = plain().start()) {
            AtomicInteger calls = new AtomicInteger();
            application.bean(Plain.class).does(bodies -> calls.incrementAndGet());
            for (String key : List.of("k1", "k2")) {
                application
                        .store()
                        .complete(application.store().occupy(key, SCOPE, UNTIL_THE_TEST_SAYS_SO), StoredResult.NONE);
                application.send(key, key);
            }
            startListener(application, "plain");
            await().until(() -> application.committed() == 2);

            assertThat(calls).hasValue(0);
            assertThat(application.journal().events(ConsumerEvent.Duplicate.class))
                    .hasSize(2);
        }
    }

    @Test
    void theOtherPartitionsGoOnWhileOneWaits() {
        try (KafkaTestApplication application = plain().partitions(2)
                .set("idem.consumer.kafka.redelivery-delay", "3s")
                .start()) {
            Lease otherOwner = application.store().occupy("k1", SCOPE, UNTIL_THE_TEST_SAYS_SO);
            application.send("k1", "busy");
            application.send("k2", "behind it");
            application.send(new ProducerRecord<>(application.topic(), 1, null, "other"), "k3");
            startListener(application, "plain");
            await().until(() -> application.committed(application.topic(), 1) == 1);
            assertThat(application.journal().entries()).containsExactly("other");

            application.store().fail(otherOwner, Duration.ZERO);
            await().until(() -> application.committed() == 2);
            assertThat(application.journal().entries()).containsExactly("other", "busy", "behind it");
            assertThat(recovered(application)).isEmpty();
        }
    }

    @Test
    void aRecordBehindOneInProgressUsesNoAttemptsUp() {
        try (KafkaTestApplication application = plain().start()) {
            Lease otherOwner = application.store().occupy("k1", SCOPE, UNTIL_THE_TEST_SAYS_SO);
            application.send("k1", "busy");
            application.send("k2", "behind it");
            startListener(application, "plain");
            await().until(() ->
                    application.journal().events(ConsumerEvent.Deferred.class).size() >= 10);
            application.store().fail(otherOwner, Duration.ZERO);
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("busy", "behind it");
            assertThat(application.store().look("k2", SCOPE).orElseThrow().attempts())
                    .isLessThanOrEqualTo(2);
        }
    }

    @Test
    void aFailedIndexIsThatOfTheRecordThatTheListenerMeant() {
        try (KafkaTestApplication application = plain().start()) {
            application
                    .store()
                    .complete(application.store().occupy("k1", SCOPE, UNTIL_THE_TEST_SAYS_SO), StoredResult.NONE);
            failOn(application, "three", new IllegalStateException("card refused"));
            send(application, "one", "two", "three", "four");
            startListener(application, "plain");
            await().until(() -> application.committed() == 4);

            assertThat(recovered(application)).containsExactly("three");
            assertThat(application.journal().entries()).startsWith("two", "three", "four", "three");
            assertThat(application.journal().entries())
                    .filteredOn("two"::equals)
                    .hasSize(1);
            assertThat(List.of(state(application, "k2"), state(application, "k3"), state(application, "k4")))
                    .containsExactly(RecordState.COMPLETED, RecordState.FAILED, RecordState.COMPLETED);
        }
    }

    @Test
    @Tag("extended")
    void aFinalFailureIsRecoveredAtOnceAndAloneAndNeverRunsAgain() {
        try (KafkaTestApplication application = plain().start()) {
            failOn(application, "two", new UnsupportedOperationException("no such account"));
            send(application, "one", "two", "three");
            startListener(application, "plain");
            await().until(() -> application.committed() == 3);

            assertThat(recovered(application)).containsExactly("two");
            assertThat(application.journal().entries())
                    .filteredOn("two"::equals)
                    .hasSize(1);
            assertThat(state(application, "k2")).isEqualTo(RecordState.REJECTED);
            assertThat(application.journal().events(ConsumerEvent.DeadLettered.class))
                    .extracting(ConsumerEvent.DeadLettered::reason)
                    .startsWith("java.lang.UnsupportedOperationException: no such account");
        }
    }

    @Test
    void aFailureThatNamesNoRecordIsRetriedWithTheWholeBatch() {
        try (KafkaTestApplication application = plain().start()) {
            AtomicInteger calls = new AtomicInteger();
            application.bean(Plain.class).does(bodies -> {
                if (calls.incrementAndGet() == 1) {
                    throw new IllegalStateException("for all of them");
                }
            });
            send(application, "one", "two");
            startListener(application, "plain");
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("one", "two", "one", "two");
            assertThat(recovered(application)).isEmpty();
        }
    }

    @Test
    @Tag("extended")
    void aRecordInProgressWhileTheWholeBatchIsRetriedIsNotRecoveredWithIt() {
        try (KafkaTestApplication application = plain().start()) {
            List<Lease> otherOwner = new CopyOnWriteArrayList<>();
            application.bean(Plain.class).does(bodies -> {
                throw new IllegalStateException("for all of them");
            });
            application.bean(Handler.class).beforeRetry(() -> {
                if (otherOwner.isEmpty()) {
                    otherOwner.add(application.store().occupy("k2", SCOPE, UNTIL_THE_TEST_SAYS_SO));
                }
            });
            send(application, "one", "two");
            startListener(application, "plain");
            await().until(() -> recovered(application).contains("one"));
            await().until(() ->
                    application.journal().events(ConsumerEvent.Deferred.class).size() >= 3);
            assertThat(recovered(application)).containsExactly("one");
            assertThat(application.committed()).isEqualTo(1);

            application.bean(Plain.class).does(bodies -> {});
            application.store().fail(otherOwner.get(0), Duration.ZERO);
            await().until(() -> application.committed() == 2);
            assertThat(recovered(application)).containsExactly("one");
        }
    }

    @Test
    @Tag("extended")
    void aHandlerThatDoesNotSeekKeepsTheOrderToo() {
        try (KafkaTestApplication application = KafkaTestApplication.with(APPLICATIONS, Plain.class, WithoutSeeks.class)
                .start()) {
            Lease otherOwner = application.store().occupy("k2", SCOPE, UNTIL_THE_TEST_SAYS_SO);
            send(application, "one", "two", "three");
            startListener(application, "plain");
            await().until(() -> application.committed() == 1);
            application.store().fail(otherOwner, Duration.ZERO);
            await().until(() -> application.committed() == 3);

            assertThat(application.journal().entries()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void deadLettersArePublishedAndTheOthersRun() {
        try (KafkaTestApplication application = plain().set("idem.consumer.kafka.dead-letter.topic-suffix", "-dlt")
                .start()) {
            send(application, "one");
            application.sendAsItIs(new ProducerRecord<>(application.topic(), 0, null, "no key"));
            application.send("k3", "three");
            startListener(application, "plain");
            await().until(() -> application.committed() == 3);

            assertThat(application.journal().entries()).containsExactly("one", "three");
            assertThat(application.journal().events(ConsumerEvent.DeadLettered.class))
                    .hasSize(1);
            assertThat(recovered(application)).isEmpty();
        }
    }

    @Test
    @Tag("extended")
    void withoutADeadLetterTopicOnlyTheDeadRecordGoesToTheRecoverer() {
        try (KafkaTestApplication application = plain().start()) {
            send(application, "one");
            application.sendAsItIs(new ProducerRecord<>(application.topic(), 0, null, "no key"));
            application.send("k3", "three");
            startListener(application, "plain");
            await().until(() -> application.committed() == 3);

            assertThat(application.journal().entries()).containsExactly("one", "three");
            assertThat(recovered(application)).containsExactly("no key");
        }
    }

    @Test
    @Tag("extended")
    void aKeyExpressionThatFailsSendsItsOwnRecordAloneToTheRecoverer() {
        try (KafkaTestApplication application = KafkaTestApplication.with(APPLICATIONS, ByPrefix.class, Handler.class)
                .start()) {
            application.send("k1", "one");
            application.send("k", "short");
            application.send("k3", "three");
            startListener(application, "prefix");
            await().until(() -> application.committed() == 3);

            assertThat(application.journal().entries()).containsExactly("one", "three");
            assertThat(recovered(application)).containsExactly("short");
        }
    }

    @Test
    void whatARecordFilterDropsIsCommittedAndNotRecordedAsDone() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Plain.class, Handler.class, Filter.class)
                .set("test.filter", "dropTwo")
                .start()) {
            send(application, "one", "two", "three");
            startListener(application, "plain");
            await().until(() -> application.committed() == 3);

            assertThat(application.journal().entries()).containsExactly("one", "three");
            assertThat(application.store().look("k2", SCOPE)).isEmpty();
        }
    }

    @Test
    void aStoreThatDoesNotAnswerIsWaitedFor() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Plain.class, Handler.class, ShortPauses.class)
                .start()) {
            application.store().failAcquires(3);
            send(application, "one", "two");
            startListener(application, "plain");
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("one", "two");
            assertThat(recovered(application)).isEmpty();
        }
    }

    @Test
    void aBatchIsRecordedAndCommittedBeforeItsContainerHasStopped() {
        try (KafkaTestApplication application = plain().start()) {
            MessageListenerContainer container = requireContainer(application, "plain");
            application.bean(Plain.class).does(bodies -> await().until(() -> !container.isRunning()));
            send(application, "one", "two");
            startListener(application, "plain");
            await().until(() -> application.journal().entries().size() == 2);

            container.stop();

            assertThat(application.committed()).isEqualTo(2);
            assertThat(List.of(state(application, "k1"), state(application, "k2")))
                    .containsOnly(RecordState.COMPLETED);
        }
    }

    static void send(KafkaTestApplication application, String... values) {
        List<String> numbers = List.of("one", "two", "three", "four");
        for (String value : values) {
            application.send("k" + (numbers.indexOf(value) + 1), value);
        }
    }

    private static void failOn(KafkaTestApplication application, String value, RuntimeException failure) {
        application.bean(Plain.class).does(bodies -> {
            int index = bodies.indexOf(value);
            if (index >= 0) {
                throw new BatchListenerFailedException("refused", failure, index);
            }
        });
    }

    /** The application's own handler: one retry. */
    static class Handler implements Resettable {

        private final List<String> recovered = new CopyOnWriteArrayList<>();
        private volatile Runnable beforeRetry = () -> {};

        @Override
        public void reset() {
            recovered.clear();
            beforeRetry = () -> {};
        }

        List<String> recovered() {
            return recovered;
        }

        void beforeRetry(Runnable what) {
            beforeRetry = what;
        }

        @Bean
        DefaultErrorHandler errorHandler() {
            DefaultErrorHandler handler = new DefaultErrorHandler(
                    (record, failure) -> recovered.add(String.valueOf(record.value())), new FixedBackOff(0, 1));
            handler.setRetryListeners(new RetryListener() {
                @Override
                public void failedDelivery(ConsumerRecord<?, ?> record, @Nullable Exception failure, int attempt) {}

                @Override
                public void failedDelivery(ConsumerRecords<?, ?> records, @Nullable Exception failure, int attempt) {
                    beforeRetry.run();
                }
            });
            return handler;
        }
    }

    static class WithoutSeeks implements Resettable {

        @Bean
        DefaultErrorHandler errorHandler() {
            DefaultErrorHandler handler = new DefaultErrorHandler(new FixedBackOff(0, 1));
            handler.setSeekAfterError(false);
            return handler;
        }
    }

    static class Filter implements Resettable {

        @Bean
        RecordFilterStrategy<Object, Object> dropTwo() {
            return record -> "two".equals(record.value());
        }
    }
}
