package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Lease;
import io.idem.RecordSnapshot;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.contract.Resettable;
import io.idem.consumer.contract.SharedApplications;
import io.idem.consumer.contract.ShortPauses;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.kafka.autoconfigure.ConcurrentKafkaListenerContainerFactoryConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.SendResult;
import org.springframework.util.backoff.FixedBackOff;

/** "Not now" is no failure: it is neither counted nor recovered, keeps the order, and keeps the consumer in its group. */
@Tag("servers")
class KeyInProgressTest {

    @RegisterExtension
    static final SharedApplications<KafkaTestApplication> APPLICATIONS = KafkaTestApplication.shared();

    private static final Duration UNTIL_THE_TEST_SAYS_SO = Duration.ofMinutes(5);

    @Test
    void aLongWaitNeitherRecoversTheRecordNorLosesThePartitionNorTheOrder() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Listeners.Plain.class, Observers.class)
                .set("spring.kafka.consumer.properties.max.poll.interval.ms", 1_500)
                .set("spring.kafka.consumer.properties.session.timeout.ms", 6_000)
                .start()) {
            Lease otherOwner = application.store().occupy("k1", SCOPE, UNTIL_THE_TEST_SAYS_SO);
            application.send("k1", "one");
            application.send("k2", "two");
            await().atMost(Duration.ofMinutes(2)).until(() -> deferrals(application) >= 30);
            application.store().fail(otherOwner, Duration.ZERO);
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("one", "two");
            assertThat(application.bean(Observers.class).recovered).isEmpty();
            assertThat(application.bean(Observers.class).revocations).isEmpty();
        }
    }

    @Test
    void theOtherPartitionsGoOn() {
        try (KafkaTestApplication application = KafkaTestApplication.with(APPLICATIONS, Listeners.Plain.class)
                .partitions(2)
                .start()) {
            Lease otherOwner = application.store().occupy("k1", SCOPE, UNTIL_THE_TEST_SAYS_SO);
            application.send("k1", "one");
            await().until(() -> deferrals(application) >= 1);
            application.send(new ProducerRecord<>(application.topic(), 1, null, "other"), "k2");
            await().until(() -> application.journal().entries().contains("other"));

            application.store().complete(otherOwner, StoredResult.NONE);
            await().until(() -> application.committed() == 1);
            assertThat(application.journal().entries()).containsExactly("other");
        }
    }

    @Test
    void failuresAreCountedAsIfTheRecordHadNeverBeenInProgress() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Listeners.Plain.class, Observers.class)
                .start()) {
            List<Integer> attempts = new CopyOnWriteArrayList<>();
            application.bean(Listeners.Plain.class).does(record -> {
                attempts.add(ByteBuffer.wrap(record.headers()
                                .lastHeader(KafkaHeaders.DELIVERY_ATTEMPT)
                                .value())
                        .getInt());
                throw new IllegalStateException("card refused");
            });
            Lease otherOwner = application.store().occupy("k1", SCOPE, UNTIL_THE_TEST_SAYS_SO);
            application.send("k1", "one");
            await().until(() -> deferrals(application) >= 5);
            application.store().fail(otherOwner, Duration.ZERO);
            await().until(() -> !application.bean(Observers.class).recovered.isEmpty());

            assertThat(attempts).containsExactly(1, 2);
            assertThat(application.bean(Observers.class).recovered).containsExactly("one");
        }
    }

    @Test
    void aHandlerThatDoesNotSeekKeepsTheOrderToo() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Listeners.Plain.class, WithoutSeeks.class)
                .start()) {
            Lease otherOwner = application.store().occupy("k1", SCOPE, UNTIL_THE_TEST_SAYS_SO);
            application.send("k1", "one");
            application.send("k2", "two");
            await().until(() -> deferrals(application) >= 5);
            assertThat(application.committed()).isEqualTo(-1);
            application.store().fail(otherOwner, Duration.ZERO);
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("one", "two");
        }
    }

    @Test
    void aStoreThatDoesNotAnswerIsWaitedFor() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Listeners.Plain.class, Observers.class, ShortPauses.class)
                .start()) {
            application.store().failAcquires(3);
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(application.journal().entries()).containsExactly("one");
            assertThat(application.bean(Observers.class).recovered).isEmpty();
        }
    }

    /** Two consumers of one group: the first is thrown out while it works, the second gets its partition. */
    @Test
    void aConsumerThatLosesItsPartitionWhileItWorksIsNotRunBeside() {
        KafkaTestApplication.Builder first = withShortPauses(Listeners.Plain.class);
        try (KafkaTestApplication slow = first.start();
                KafkaTestApplication next =
                        withShortPauses(Listeners.Plain.class).beside(slow).start()) {
            AtomicInteger calls = new AtomicInteger();
            java.util.function.Consumer<Object> work = unused -> {
                calls.incrementAndGet();
                await().atMost(Duration.ofMinutes(2)).until(() -> deferrals(slow) + deferrals(next) >= 3);
            };
            slow.bean(Listeners.Plain.class).does(work::accept);
            next.bean(Listeners.Plain.class).does(work::accept);
            slow.send("k1", "one");

            await().atMost(Duration.ofMinutes(2)).until(() -> slow.committed() == 1);
            assertThat(calls).hasValue(1);
            assertThat(slow.journal().events(ConsumerEvent.Duplicate.class).size()
                            + next.journal()
                                    .events(ConsumerEvent.Duplicate.class)
                                    .size())
                    .isGreaterThanOrEqualTo(1);
        }
    }

    /** As before, but the first is not heard of either, so that the second takes over while the first still works. */
    @Test
    void theLateSettlementOfAConsumerThatWasTakenOverChangesNothing() {
        try (KafkaTestApplication slow = withShortPauses(Listeners.Plain.class).start();
                KafkaTestApplication next =
                        withShortPauses(Listeners.Plain.class).beside(slow).start()) {
            AtomicInteger calls = new AtomicInteger();
            CountDownLatch takenOver = new CountDownLatch(1);
            java.util.function.Consumer<Object> work = unused -> {
                if (calls.incrementAndGet() == 1) {
                    await().atMost(Duration.ofMinutes(3)).until(() -> takenOver.getCount() == 0);
                }
            };
            slow.bean(Listeners.Plain.class).does(work::accept);
            next.bean(Listeners.Plain.class).does(work::accept);
            slow.send("k1", "one");
            await().atMost(Duration.ofMinutes(2)).until(() -> deferrals(slow) + deferrals(next) >= 1);
            await().atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        // A heartbeat of the first may renew the lease before the second asks again.
                        if (calls.get() == 1) {
                            slow.store().letLeasesLapse();
                        }
                        return slow.store().completions().size() == 1 && slow.committed() == 1;
                    });
            RecordSnapshot settled = slow.store().look("k1", SCOPE).orElseThrow();
            takenOver.countDown();
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> slow.store().completions().size() == 2);

            assertThat(slow.store().completions().get(0)).isNotInstanceOf(StoreAnswer.Lost.class);
            assertThat(slow.store().completions().get(1)).isInstanceOf(StoreAnswer.Lost.class);
            assertThat(slow.store().look("k1", SCOPE)).contains(settled);
            assertThat(calls).hasValue(2);
        }
    }

    private static KafkaTestApplication.Builder withShortPauses(Class<?> listeners) {
        return KafkaTestApplication.with(APPLICATIONS, listeners)
                .set("spring.kafka.consumer.properties.max.poll.interval.ms", 1_500)
                .set("spring.kafka.consumer.properties.session.timeout.ms", 6_000)
                .set("spring.kafka.consumer.heartbeat-interval", "200ms");
    }

    @Test
    void aDeadLetterThatCannotBePublishedComesAgain() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Listeners.Plain.class, Observers.class)
                .set("idem.consumer.kafka.dead-letter.topic-suffix", "-" + "x".repeat(250))
                .set("spring.kafka.producer.properties.max.block.ms", 300)
                .start()) {
            assertItsDeadLetterComesAgain(application);
            assertThat(application.bean(Observers.class).recovered).isEmpty();
        }
    }

    private static void assertItsDeadLetterComesAgain(KafkaTestApplication application) {
        application.store().reject(application.store().occupy("k1", SCOPE, UNTIL_THE_TEST_SAYS_SO), "no such account");
        AtomicInteger deliveries = new AtomicInteger();
        application.store().beforeAcquire(record -> deliveries.incrementAndGet());
        application.send("k1", "one");
        await().until(() -> deliveries.get() >= 3);

        assertThat(application.committed()).isEqualTo(-1);
        assertThat(application.journal().events(ConsumerEvent.DeadLettered.class))
                .isEmpty();
    }

    /** The framework's own error handlers never retry a few kinds of failures, among them this one. */
    @Test
    @Tag("extended")
    void aDeadLetterThatCannotBePublishedComesAgainWhateverTheReason() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Listeners.Plain.class, Observers.class, UnfitTemplate.class)
                .set("idem.consumer.kafka.dead-letter.topic-suffix", "-refused")
                .start()) {
            assertItsDeadLetterComesAgain(application);
        }
    }

    /** A partition of which a poll has brought more than one record, and which the application stops at the first. */
    @Test
    @Tag("extended")
    void aPartitionThatTheApplicationHasPausedStaysPaused() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Listeners.Plain.class, Observers.class)
                .set("spring.kafka.listener.auto-startup", false)
                .start()) {
            TopicPartition partition = new TopicPartition(application.topic(), 0);
            ConcurrentMessageListenerContainer<?, ?> container =
                    (ConcurrentMessageListenerContainer<?, ?>) requireNonNull(application
                            .bean(KafkaListenerEndpointRegistry.class)
                            .getListenerContainer("plain"));
            application.bean(Listeners.Plain.class).does(record -> container.pausePartition(partition));
            Lease otherOwner = application.store().occupy("k2", SCOPE, UNTIL_THE_TEST_SAYS_SO);
            application.send("k1", "one");
            application.send("k2", "two");
            container.start();
            await().until(() -> deferrals(application) >= 1);
            application.store().fail(otherOwner, Duration.ZERO);

            await().during(Duration.ofMillis(600))
                    .until(() -> container.getContainers().get(0).isPartitionPauseRequested(partition));
            assertThat(application.journal().entries()).containsExactly("one");
            container.resumePartition(partition);
            await().until(() -> application.committed() == 2);
        }
    }

    private static int deferrals(KafkaTestApplication application) {
        return application.journal().events(ConsumerEvent.Deferred.class).size();
    }

    /** The application's own handler: one retry; and what a rebalance would do. */
    static class Observers implements Resettable {

        final List<String> recovered = new CopyOnWriteArrayList<>();
        final List<TopicPartition> revocations = new CopyOnWriteArrayList<>();

        @Override
        public void reset() {
            recovered.clear();
            revocations.clear();
        }

        List<String> recovered() {
            return recovered;
        }

        @Bean
        DefaultErrorHandler errorHandler() {
            return new DefaultErrorHandler(
                    (record, failure) -> recovered.add(String.valueOf(record.value())), new FixedBackOff(0, 1));
        }

        @Bean
        ConsumerAwareRebalanceListener rebalances() {
            return new ConsumerAwareRebalanceListener() {
                @Override
                public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
                    revocations.addAll(partitions);
                }
            };
        }

        @Bean
        ConcurrentKafkaListenerContainerFactory<?, ?> kafkaListenerContainerFactory(
                ConcurrentKafkaListenerContainerFactoryConfigurer configurer,
                ConsumerFactory<Object, Object> consumers) {
            ConcurrentKafkaListenerContainerFactory<Object, Object> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            configurer.configure(factory, consumers);
            factory.getContainerProperties().setDeliveryAttemptHeader(true);
            return factory;
        }
    }

    /** Whose converters know nothing of the record, and say so late. */
    static class UnfitTemplate implements Resettable {

        @Bean
        KafkaTemplate<Object, Object> kafkaTemplate(ProducerFactory<Object, Object> producers) {
            return new KafkaTemplate<>(producers) {
                @Override
                public CompletableFuture<SendResult<Object, Object>> send(ProducerRecord<Object, Object> record) {
                    return CompletableFuture.failedFuture(new ClassCastException("not what it writes"));
                }
            };
        }
    }

    /** A handler that retries from memory instead of seeking. */
    static class WithoutSeeks implements Resettable {

        @Bean
        DefaultErrorHandler errorHandler() {
            DefaultErrorHandler handler = new DefaultErrorHandler(new FixedBackOff(0, 1));
            handler.setSeekAfterError(false);
            return handler;
        }
    }
}
