package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.BatchListenerTest.startListener;
import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/** A record whose dead letter the broker has not confirmed is not committed, whoever acknowledges. */
@Tag("servers")
class DeadLetterOrderTest {

    private static final Duration UNTIL_THE_TEST_ENDS = Duration.ofMinutes(5);
    private static final String SUFFIX = "-dead";

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(3));
    }

    private static KafkaTestApplication start(Class<?> listener, AckMode mode, boolean startListeners) {
        KafkaTestApplication application = KafkaTestApplication.with(listener, RefusedLetters.class)
                .set("idem.consumer.kafka.dead-letter.topic-suffix", SUFFIX)
                .set("spring.kafka.listener.ack-mode", mode)
                .set("spring.kafka.listener.auto-startup", startListeners)
                .start();
        PublishedRecords.create(application.topic() + SUFFIX);
        application.bean(RefusedLetters.class).beforeEach(application::committed);
        return application;
    }

    private static void reject(KafkaTestApplication application, String key) {
        application.store().reject(application.store().occupy(key, SCOPE, UNTIL_THE_TEST_ENDS), "no such account");
    }

    private static long letters(KafkaTestApplication application) {
        return PublishedRecords.count(application.topic() + SUFFIX);
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"RECORD", "BATCH", "MANUAL", "MANUAL_IMMEDIATE"})
    void aRecordIsCommittedAfterItsDeadLetterIsConfirmed(AckMode mode) {
        Class<?> listener = mode.name().startsWith("MANUAL") ? Listeners.Manual.class : Listeners.Plain.class;
        try (KafkaTestApplication application = start(listener, mode, true)) {
            reject(application, "k1");
            application.send("k1", "one");
            application.send("k2", "two");
            await().until(() -> application.committed() == 2);

            assertThat(application.bean(RefusedLetters.class).seenBeforeEach()).containsExactly(-1L, -1L, -1L);
            assertThat(letters(application)).isOne();
            assertThat(application.journal().entries()).containsExactly("two");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"BATCH", "MANUAL", "MANUAL_IMMEDIATE"})
    void aBatchIsCommittedUpToARecordWhoseDeadLetterIsNotConfirmed(AckMode mode) {
        boolean manual = mode.name().startsWith("MANUAL");
        Class<?> listener = manual ? BatchListenersOfTests.Manual.class : BatchListenersOfTests.Plain.class;
        try (KafkaTestApplication application = start(listener, mode, false)) {
            reject(application, "k2");
            BatchListenerTest.send(application, "one", "two", "three");
            startListener(application, manual ? "manual" : "plain");
            await().until(() -> application.committed() == 3);

            assertThat(application.bean(RefusedLetters.class).seenBeforeEach()).containsExactly(-1L, 1L, 1L);
            assertThat(letters(application)).isOne();
            assertThat(application.journal().entries()).containsExactly("one", "three");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    @Tag("extended")
    void aBatchOfRefusedRecordsIsCommittedAfterItsDeadLetterIsConfirmed(AckMode mode) {
        try (KafkaTestApplication application = start(BatchListenersOfTests.Manual.class, mode, false)) {
            reject(application, "k1");
            BatchListenerTest.send(application, "one");
            startListener(application, "manual");
            await().until(() -> application.committed() == 1);

            assertThat(application.bean(RefusedLetters.class).seenBeforeEach()).containsExactly(-1L, -1L, -1L);
            assertThat(letters(application)).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"RECORD", "MANUAL", "MANUAL_IMMEDIATE"})
    @Tag("extended")
    void aRecordRejectedAsynchronouslyIsCommittedAfterItsDeadLetter(AckMode mode) {
        try (KafkaTestApplication application = start(RejectsAsync.class, mode, true)) {
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(application.bean(RefusedLetters.class).seenBeforeEach()).containsExactly(-1L, -1L, -1L);
            assertThat(letters(application)).isOne();
        }
    }

    /** Refuses its record for good after it has returned. */
    static class RejectsAsync {

        @KafkaListener(id = "rejects-late", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE, rejectOn = UnsupportedOperationException.class)
        CompletableFuture<Void> on(String body) {
            return CompletableFuture.runAsync(() -> {
                throw new UnsupportedOperationException("no such account");
            });
        }
    }
}
