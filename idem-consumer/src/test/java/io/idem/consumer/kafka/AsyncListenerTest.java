package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.CountedTasks;
import io.idem.consumer.contract.Resettable;
import io.idem.consumer.contract.SharedApplications;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.KafkaListenerErrorHandler;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.serializer.ErrorHandlingDeserializer;
import org.springframework.util.backoff.FixedBackOff;
import reactor.core.publisher.Mono;

/** Listeners whose work ends after their return: nothing is lost, nothing stops the consumer, and nothing runs twice. */
@Tag("servers")
class AsyncListenerTest {

    @RegisterExtension
    static final SharedApplications<KafkaTestApplication> APPLICATIONS = KafkaTestApplication.shared();

    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);

    private static ConditionFactory await() {
        return Awaitility.await().atMost(TIME_LIMIT);
    }

    @Test
    void anOffsetIsCommittedAfterTheWorkHasEndedAndWasRecorded() {
        try (KafkaTestApplication application = start(Async.class)) {
            CountDownLatch go = new CountDownLatch(1);
            List<Long> committedBefore = new CopyOnWriteArrayList<>();
            application.store().beforeComplete(() -> committedBefore.add(application.committed()));
            application.bean(Async.class).does(record -> hold(go));

            application.send("k1", "one");
            await().until(() -> application.journal().entries().contains("one"));
            assertThat(application.store().look("k1", SCOPE).orElseThrow().state())
                    .isEqualTo(RecordState.PENDING);
            go.countDown();

            await().until(() -> application.committed() == 1);
            assertThat(committedBefore).containsExactly(-1L);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    @Tag("extended")
    void whatEndsLateDoesNotTakeBackTheOffsetOfWhatWasAcknowledgedMeanwhile(AckMode mode) {
        try (KafkaTestApplication application = KafkaTestApplication.with(APPLICATIONS, Async.class, Recovered.class)
                .set("spring.kafka.listener.ack-mode", mode)
                .set("spring.kafka.listener.auto-startup", false)
                .start()) {
            CountDownLatch go = new CountDownLatch(1);
            application.store().complete(application.store().occupy("k2", SCOPE, TIME_LIMIT), StoredResult.NONE);
            application.store().beforeAcquire(record -> {
                if (record.key().value().equals("k2")) {
                    go.countDown();
                    // And a while longer: its acknowledgement follows its record.
                    await().during(Duration.ofMillis(200)).until(() -> done(application, "k1"));
                }
            });
            application.bean(Async.class).does(record -> hold(go));

            application.send("k1", "one");
            application.send("k2", "duplicate");
            startListeners(application);

            await().until(() -> application.committed() == 2);
            await().during(Duration.ofSeconds(1)).until(() -> application.committed() == 2);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    @Tag("extended")
    void anEarlyAcknowledgementIsNotCommittedWhileTheWorkIsRunning(AckMode mode) {
        CountDownLatch go = new CountDownLatch(1);
        try (KafkaTestApplication application = start(Acknowledging.class, "spring.kafka.listener.ack-mode", mode)) {
            application.bean(Acknowledging.class).inMethod(Acknowledgment::acknowledge);
            application.bean(Acknowledging.class).inWork(acknowledgment -> hold(go));

            application.send("k1", "one");
            await().until(() -> application.journal().entries().contains("one"));
            assertNothingIsCommittedBefore(go, application);
        } finally {
            go.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    void whatTheWorkAcknowledgesIsNotCommittedBeforeItIsRecorded(AckMode mode) {
        CountDownLatch recording = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (KafkaTestApplication application = start(Acknowledging.class, "spring.kafka.listener.ack-mode", mode)) {
            application.bean(Acknowledging.class).inWork(Acknowledgment::acknowledge);
            application.store().beforeComplete(() -> {
                recording.countDown();
                hold(go);
            });

            application.send("k1", "one");
            hold(recording);
            assertNothingIsCommittedBefore(go, application);
        } finally {
            go.countDown();
        }
    }

    private static void assertNothingIsCommittedBefore(CountDownLatch go, KafkaTestApplication application) {
        await().during(Duration.ofSeconds(1)).until(() -> application.committed() == -1);
        go.countDown();
        await().until(() -> application.committed() == 1);
        assertThat(done(application, "k1")).isTrue();
    }

    @Test
    void anAcknowledgementIsCommittedAfterTheErrorHandlerTookTheFailure() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Acknowledging.class, TakenOver.class)
                .set("test.error-handler", "takesOver")
                .start()) {
            List<Long> committedBefore = new CopyOnWriteArrayList<>();
            application.bean(TakenOver.class).does(() -> committedBefore.add(application.committed()));
            application.bean(Acknowledging.class).inMethod(Acknowledgment::acknowledge);
            application.bean(Acknowledging.class).inWork(acknowledgment -> failIf(true));

            application.send("k1", "one");

            await().until(() -> application.committed() == 1);
            assertThat(committedBefore).containsExactly(-1L);
            assertThat(application.journal().entries()).containsExactly("one");
        }
    }

    @Test
    void aListenerThatGivesItsRecordBackIsToldThatItsContainerCannot() {
        try (KafkaTestApplication application = start(Acknowledging.class)) {
            List<String> refusals = new CopyOnWriteArrayList<>();
            application.bean(Acknowledging.class).inMethod(acknowledgment -> {
                try {
                    acknowledgment.nack(Duration.ofMillis(10));
                } catch (IllegalStateException refused) {
                    refusals.add(String.valueOf(refused.getMessage()));
                }
            });

            application.send("k1", "one");

            await().until(() -> application.committed() == 1);
            assertThat(refusals).singleElement().asString().contains("out-of-order commits");
            assertThat(application.journal().entries()).containsExactly("one");
        }
    }

    @Test
    void aCopyInTheSamePollWaitsForTheFirstAndTheConsumerGoesOn() {
        try (KafkaTestApplication application = startWithoutListeners(Async.class)) {
            CountDownLatch go = new CountDownLatch(1);
            application.bean(Async.class).does(record -> hold(go));

            application.send("k1", "one");
            application.send("k1", "copy");
            application.send("k2", "two");
            startListeners(application);
            await().until(() ->
                    !application.journal().events(ConsumerEvent.Deferred.class).isEmpty());
            go.countDown();
            await().until(() -> application.committed() == 3);
            application.send("k1", "copy of an earlier poll");
            application.send("k3", "three");

            await().until(() -> application.committed() == 5);
            assertThat(application.journal().entries()).containsExactly("one", "two", "three");
            assertThat(application.journal().events(ConsumerEvent.Duplicate.class))
                    .hasSize(2);
            assertThat(application.bean(Recovered.class).bodies).isEmpty();
        }
    }

    @Test
    void aRecordInProgressIsNeitherLostNorRecoveredAndTheConsumerGoesOn() {
        try (KafkaTestApplication application = start(Async.class)) {
            Lease otherOwner = application.store().occupy("k1", SCOPE, Duration.ofMinutes(5));
            application.send("k1", "one");
            application.send("k2", "two");
            await().until(() ->
                    application.journal().events(ConsumerEvent.Deferred.class).size() >= 5);
            assertThat(application.committed()).isLessThanOrEqualTo(0);
            application.store().fail(otherOwner, Duration.ZERO);

            await().until(() -> application.committed() == 2);
            assertThat(application.journal().entries()).containsExactly("one", "two");
            assertThat(application.bean(Recovered.class).bodies).isEmpty();
        }
    }

    @Test
    void aFailedFutureIsTriedAgainByTheErrorHandlerAndNothingBehindItIsSkipped() {
        try (KafkaTestApplication application = start(Async.class)) {
            List<Integer> attempts = new CopyOnWriteArrayList<>();
            application.bean(Async.class).does(record -> {
                if (record.value().equals("two")) {
                    attempts.add(IdempotencyContext.current().orElseThrow().attempt());
                    failIf(attempts.size() <= 2);
                }
            });

            List.of("one", "two", "three").forEach(body -> application.send(body, body));
            await().until(() -> done(application, "one", "two", "three"));
            application.send("four", "four");

            await().until(() -> done(application, "four") && application.committed() == 4);
            assertThat(attempts).containsExactly(1, 2, 3);
            assertThat(application.bean(Recovered.class).bodies).isEmpty();
        }
    }

    @Test
    void recordsOfOnePartitionThatFailTogetherAreAllTriedAgain() {
        try (KafkaTestApplication application = startWithoutListeners(Async.class)) {
            List<String> bodies = IntStream.range(0, 6).mapToObj(i -> "k" + i).toList();
            Set<String> failed = ConcurrentHashMap.newKeySet();
            application.bean(Async.class).does(record -> failIf(failed.size() < 4 && failed.add(record.value())));

            bodies.forEach(body -> application.send(body, body));
            startListeners(application);

            await().until(() -> done(application, bodies.toArray(String[]::new)));
            await().until(() -> application.committed() == 6);
            assertThat(application.bean(Recovered.class).bodies).isEmpty();
        }
    }

    @Test
    @Tag("extended")
    void aFailedFutureIsNotCommittedWhileItIsTriedAgain() {
        CountDownLatch go = new CountDownLatch(1);
        try (KafkaTestApplication application = start(Async.class)) {
            AtomicInteger attempts = new AtomicInteger();
            application.bean(Async.class).does(record -> {
                failIf(attempts.incrementAndGet() <= 2);
                hold(go);
            });

            application.send("k1", "one");
            await().until(() -> attempts.get() == 3);

            assertNothingIsCommittedBefore(go, application);
        } finally {
            go.countDown();
        }
    }

    /** Another instance has done the record meanwhile, so it does not come back. */
    @Test
    @Tag("extended")
    void aRestartForgetsTheRecordThatWasTriedAgain() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (KafkaTestApplication application = start(Async.class)) {
            AtomicInteger attempts = new AtomicInteger();
            Set<String> failed = ConcurrentHashMap.newKeySet();
            application.bean(Async.class).does(record -> {
                if (record.value().equals("old") && attempts.incrementAndGet() > 1) {
                    hold(go);
                }
                failIf(failed.add(record.value()));
            });
            application.send("old", "old");
            await().until(() -> attempts.get() == 2);

            Lifecycle container =
                    application.bean(KafkaListenerEndpointRegistry.class).getListenerContainer("late");
            assertThat(container).isNotNull();
            container.stop();
            await().until(() -> application.commits(1));
            container.start();
            application.send("new", "new");

            await().until(() -> done(application, "new") && application.committed() == 2);
        } finally {
            go.countDown();
        }
    }

    @Test
    @Tag("extended")
    void anErrorOfARetryIsHandedToTheErrorHandler() {
        try (KafkaTestApplication application = start(Async.class)) {
            AtomicInteger attempts = new AtomicInteger();
            application.bean(Async.class).does(record -> failIf(attempts.incrementAndGet() == 1));
            application.bean(Async.class).throwsInMethod(() -> attempts.get() == 1 && attempts.incrementAndGet() == 2);

            application.send("k1", "one");

            await().until(() -> done(application, "k1") && application.committed() == 1);
            assertThat(attempts).hasValue(3);
        }
    }

    @Test
    @Tag("extended")
    void aFailureThatNoRetryCuresIsRecoveredAlsoBehindAnother() {
        try (KafkaTestApplication application = startWithoutListeners(Async.class)) {
            application.bean(Async.class).does(record -> {
                failIf(record.value().startsWith("bad"));
                if (record.value().startsWith("fatal")) {
                    throw new ClassCastException("not retried");
                }
            });
            List.of("bad", "fatal").forEach(body -> application.send(body, body));
            startListeners(application);

            await().until(() -> application.bean(Recovered.class).bodies.size() == 2 && application.committed() == 2);
            assertThat(application.journal().entries().stream().filter("fatal"::equals))
                    .hasSize(1);
        }
    }

    @Test
    @Tag("extended")
    void everyConsumerOfAContainerTriesItsFailedFuturesAgain() {
        try (KafkaTestApplication application = KafkaTestApplication.with(APPLICATIONS, Async.class, Recovered.class)
                .partitions(3)
                .set("spring.kafka.listener.concurrency", 3)
                .start()) {
            Set<String> failed = ConcurrentHashMap.newKeySet();
            application.bean(Async.class).does(record -> failIf(failed.add(record.value())));

            for (int partition = 0; partition < 3; partition++) {
                String body = "k" + partition;
                application.send(new ProducerRecord<>(application.topic(), partition, null, body), body);
            }

            await().until(() -> done(application, "k0", "k1", "k2"));
            for (int partition = 0; partition < 3; partition++) {
                int each = partition;
                await().until(() -> application.committed(application.topic(), each) == 1);
            }
            assertThat(application.bean(Recovered.class).bodies).isEmpty();
        }
    }

    @Test
    @Tag("extended")
    void futuresOfOnePartitionThatKeepFailingAreAllRecovered() {
        try (KafkaTestApplication application = startWithoutListeners(Async.class)) {
            application.bean(Async.class).does(record -> failIf(record.value().startsWith("bad")));
            List.of("bad 1", "good", "bad 2", "bad 3").forEach(body -> application.send(body, body));
            startListeners(application);

            await().until(() -> application.bean(Recovered.class).bodies.size() == 3);
            await().until(() -> done(application, "good") && application.committed() == 4);
            application.send("later", "later");

            await().until(() -> done(application, "later") && application.committed() == 5);
            assertThat(application.bean(Recovered.class).bodies).containsExactlyInAnyOrder("bad 1", "bad 2", "bad 3");
        }
    }

    @Test
    @Tag("extended")
    void aMethodThatThrowsAfterItsFutureFailedIsTriedAgain() {
        try (KafkaTestApplication application = start(FailingInTurn.class)) {
            application.send("k1", "one");
            application.send("k2", "two");

            await().until(() -> done(application, "k1", "k2") && application.committed() == 2);
            assertThat(application.bean(FailingInTurn.class).calls())
                    .containsExactlyInAnyOrder("one", "one", "one", "two", "two", "two");
            assertThat(application.bean(Recovered.class).bodies).isEmpty();
        }
    }

    @Test
    void aFutureThatKeepsFailingIsRecoveredAndTheNextRecordsRun() {
        try (KafkaTestApplication application = start(Async.class)) {
            application.bean(Async.class).does(record -> failIf(record.value().equals("bad")));

            application.send("bad", "bad");
            application.send("good", "good");

            await().until(() -> application.bean(Recovered.class).bodies.equals(List.of("bad")));
            await().until(() -> done(application, "good") && application.committed() == 2);
            assertThat(application.store().look("bad", SCOPE).orElseThrow().state())
                    .isEqualTo(RecordState.FAILED);
        }
    }

    @Test
    @Tag("extended")
    void aFailureThatNoRetryCanCureGoesToTheRecovererAtOnce() {
        try (KafkaTestApplication application = start(Async.class)) {
            application.bean(Async.class).does(record -> {
                throw new IllegalArgumentException("no such account");
            });

            application.send("k1", "one");

            await().until(() -> application.bean(Recovered.class).bodies.equals(List.of("one")));
            await().until(() -> application.committed() == 1);
            assertThat(application.journal().entries()).containsExactly("one");
            assertThat(application.store().look("k1", SCOPE).orElseThrow().state())
                    .isEqualTo(RecordState.REJECTED);
        }
    }

    @Test
    void anEffectThatIsNotRecordedYetKeepsItsOffsetAndDoesNotRunAgain() {
        try (KafkaTestApplication application = start(Async.class)) {
            application.store().failCompletions(3);

            application.send("k1", "one");

            await().until(() -> application.committed() == 1);
            assertThat(application.journal().entries()).containsExactly("one");
            assertThat(done(application, "k1")).isTrue();
        }
    }

    @Test
    @Tag("extended")
    void aPauseBetweenAttemptsKeepsTheRecordAndIsNoFailureUntilTheLastOne() {
        try (KafkaTestApplication application = start(BackingOff.class, "idem.max-attempts", 3)) {
            application.send("k1", "one");
            application.send("k2", "two");
            application.send("k3", "hopeless");

            await().until(() -> application.committed() == 3);
            assertThat(application.bean(BackingOff.class).calls())
                    .containsExactlyInAnyOrder("one", "one", "two", "two", "hopeless", "hopeless", "hopeless");
            await().until(() -> application.bean(Recovered.class).bodies.equals(List.of("hopeless")));
            assertThat(application.journal().events(ConsumerEvent.DeadLettered.class))
                    .extracting(ConsumerEvent.DeadLettered::reason)
                    .containsExactly("all 3 attempts are used up; the last one failed with"
                            + " java.lang.IllegalStateException: the test lets it fail");
        }
    }

    @Test
    void aMonoOfNothingRunsOnceAndItsDuplicateIsAcknowledged() {
        try (KafkaTestApplication application = start(Reactive.class)) {
            application.send("k1", "one");
            application.send("k1", "again");
            application.send("k2", "two");

            await().until(() -> application.committed() == 3);
            assertThat(application.journal().entries()).containsExactly("one", "two");
        }
    }

    @Test
    void recordsWhoseMethodThrowsAreRecoveredAndNothingBehindThemIsLostOrHeldUp() {
        try (KafkaTestApplication application = startWithoutListeners(Throwing.class)) {
            List.of("good", "bad", "worse", "better").forEach(body -> application.send(body, body));
            startListeners(application);

            await().until(() -> done(application, "good", "better") && application.committed() == 4);
            application.send("later", "later");

            await().until(() -> done(application, "later") && application.committed() == 5);
            assertThat(application.bean(Recovered.class).bodies).containsExactly("bad", "worse");
            assertThat(application.journal().entries())
                    .containsExactly(
                            "good", "bad", "bad", "bad", "bad", "worse", "worse", "worse", "worse", "better", "later");
        }
    }

    @Test
    void whatFailsBeforeTheMethodIsCalledIsRecoveredAndHoldsUpNoPartition() {
        try (KafkaTestApplication application = KafkaTestApplication.with(APPLICATIONS, Async.class, Recovered.class)
                .partitions(2)
                .set("spring.kafka.listener.auto-startup", false)
                .set("spring.kafka.consumer.value-deserializer", ErrorHandlingDeserializer.class.getName())
                .set(
                        "spring.kafka.consumer.properties[spring.deserializer.value.delegate.class]",
                        Picky.class.getName())
                .start()) {
            application.sendAsItIs(new ProducerRecord<>(application.topic(), 0, null, "no key"));
            application.send("one", "one");
            List.of("two", "unreadable", "three")
                    .forEach(body -> application.send(new ProducerRecord<>(application.topic(), 1, null, body), body));
            startListeners(application);

            await().until(() -> done(application, "one", "two", "three") && application.committed() == 2);
            await().until(() -> application.committed(application.topic(), 1) == 3);
            assertThat(application.bean(Recovered.class).bodies).containsExactlyInAnyOrder("no key", "null");
            assertThat(application.journal().entries()).containsExactlyInAnyOrder("one", "two", "three");
        }
    }

    private static void startListeners(KafkaTestApplication application) {
        application
                .bean(KafkaListenerEndpointRegistry.class)
                .getListenerContainers()
                .forEach(Lifecycle::start);
    }

    private static KafkaTestApplication start(Class<?> listener, Object... setting) {
        KafkaTestApplication application = startWithoutListeners(listener, setting);
        startListeners(application);
        return application;
    }

    private static KafkaTestApplication startWithoutListeners(Class<?> listener, Object... setting) {
        KafkaTestApplication.Builder builder = KafkaTestApplication.with(APPLICATIONS, listener, Recovered.class)
                .set("spring.kafka.listener.auto-startup", false);
        return setting.length == 0
                ? builder.start()
                : builder.set(setting[0].toString(), setting[1]).start();
    }

    private static boolean done(KafkaTestApplication application, String... keys) {
        return List.of(keys).stream()
                .allMatch(key -> application
                        .store()
                        .look(key, SCOPE)
                        .filter(record -> record.state() == RecordState.COMPLETED)
                        .isPresent());
    }

    private static void failIf(boolean bad) {
        if (bad) {
            throw new IllegalStateException("the test lets it fail");
        }
    }

    private static void hold(CountDownLatch go) {
        try {
            assertThat(go.await(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The application's own: two retries, then it takes note. */
    static class Recovered implements Resettable {

        final List<String> bodies = new CopyOnWriteArrayList<>();

        @Override
        public void reset() {
            bodies.clear();
        }

        @Bean
        DefaultErrorHandler errorHandler() {
            return new DefaultErrorHandler(
                    (record, failure) -> bodies.add(String.valueOf(record.value())), new FixedBackOff(10, 3));
        }
    }

    /** Does on a thread of its own what the test of the moment tells it. */
    static class Async implements Resettable {

        private final KafkaTestApplication.Journal journal;
        private final CountedTasks threads = new CountedTasks();
        private volatile Consumer<ConsumerRecord<String, String>> work = record -> {};
        private volatile BooleanSupplier error = () -> false;

        Async(KafkaTestApplication.Journal journal) {
            this.journal = journal;
        }

        @Override
        public void reset() {
            threads.awaitEnd();
            work = record -> {};
            error = () -> false;
        }

        void throwsInMethod(BooleanSupplier when) {
            error = when;
        }

        void does(Consumer<ConsumerRecord<String, String>> what) {
            work = what;
        }

        @KafkaListener(id = "late", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE, rejectOn = IllegalArgumentException.class)
        CompletableFuture<Void> on(ConsumerRecord<String, String> record, IdempotencyContext context) {
            journal.write(record.value());
            if (error.getAsBoolean()) {
                throw new NoClassDefFoundError("a part is missing");
            }
            return CompletableFuture.runAsync(() -> work(record, context), threads);
        }

        private void work(ConsumerRecord<String, String> record, IdempotencyContext context) {
            try {
                context.call(() -> {
                    work.accept(record);
                    return null;
                });
            } catch (RuntimeException unchecked) {
                throw unchecked;
            } catch (Exception checked) {
                throw new IllegalStateException(checked);
            }
        }
    }

    /** Acknowledges by itself, before its method returns or in its work. */
    static class Acknowledging implements Resettable {

        private final KafkaTestApplication.Journal journal;
        private final CountedTasks threads = new CountedTasks();
        private volatile Consumer<Acknowledgment> inMethod = acknowledgment -> {};
        private volatile Consumer<Acknowledgment> inWork = acknowledgment -> {};

        Acknowledging(KafkaTestApplication.Journal journal) {
            this.journal = journal;
        }

        @Override
        public void reset() {
            threads.awaitEnd();
            inMethod = acknowledgment -> {};
            inWork = acknowledgment -> {};
        }

        void inMethod(Consumer<Acknowledgment> what) {
            inMethod = what;
        }

        void inWork(Consumer<Acknowledgment> what) {
            inWork = what;
        }

        @KafkaListener(
                id = "acknowledging",
                idIsGroup = false,
                topics = "${test.topic}",
                errorHandler = "${test.error-handler:}")
        @IdempotentListener(scope = SCOPE)
        CompletableFuture<Void> on(String body, Acknowledgment acknowledgment) {
            journal.write(body);
            inMethod.accept(acknowledgment);
            return CompletableFuture.runAsync(() -> inWork.accept(acknowledgment), threads);
        }
    }

    /** An error handler of the listener's that lets no failure through. */
    static class TakenOver implements Resettable {

        private volatile Runnable action = () -> {};

        @Override
        public void reset() {
            action = () -> {};
        }

        void does(Runnable what) {
            action = what;
        }

        @Bean
        @SuppressWarnings("NullAway") // Applications that know nothing of JSpecify answer null.
        KafkaListenerErrorHandler takesOver() {
            return (message, failure) -> {
                action.run();
                return null;
            };
        }
    }

    /** A deserializer that cannot read everything. */
    public static final class Picky extends StringDeserializer {

        @Override
        public String deserialize(String topic, byte[] data) {
            String read = super.deserialize(topic, data);
            failIf(read.equals("unreadable"));
            return read;
        }
    }

    /** Throws for what it does not like, instead of returning a failed future. */
    static class Throwing {

        private final KafkaTestApplication.Journal journal;

        Throwing(KafkaTestApplication.Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "throwing", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        CompletableFuture<Void> on(String body) {
            journal.write(body);
            failIf(List.of("bad", "worse").contains(body));
            return CompletableFuture.runAsync(() -> {});
        }
    }

    /** Returns a failed future for the first attempt of each record, and throws in the second one. */
    static class FailingInTurn {

        private final List<String> calls = new CopyOnWriteArrayList<>();

        @KafkaListener(id = "in-turn", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        CompletableFuture<Void> on(String body, IdempotencyContext context) {
            calls.add(body);
            failIf(context.attempt() == 2);
            return CompletableFuture.runAsync(() -> failIf(context.attempt() == 1));
        }

        List<String> calls() {
            return calls;
        }
    }

    /** Fails once for each record, or always, and lets idem own the retry. */
    static class BackingOff {

        private final List<String> calls = new CopyOnWriteArrayList<>();

        List<String> calls() {
            return calls;
        }

        @KafkaListener(id = "backing-off", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE, backoff = "50ms")
        CompletableFuture<Void> on(String body, IdempotencyContext context) {
            calls.add(body);
            return CompletableFuture.runAsync(() -> failIf(context.attempt() == 1 || body.equals("hopeless")));
        }
    }

    /** Nothing happens before somebody subscribes. */
    static class Reactive {

        private final KafkaTestApplication.Journal journal;

        Reactive(KafkaTestApplication.Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = "reactive", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE)
        Mono<Void> on(String body) {
            return Mono.delay(Duration.ofMillis(20))
                    .doOnNext(tick -> journal.write(body))
                    .then();
        }
    }
}
