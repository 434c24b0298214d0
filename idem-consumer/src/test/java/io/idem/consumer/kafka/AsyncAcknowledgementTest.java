package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.NoHold;
import io.idem.consumer.contract.Resettable;
import io.idem.consumer.contract.SharedApplications;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.util.backoff.FixedBackOff;

/** Listeners in mode MANUAL that return first and say later what becomes of their records. */
@Tag("extended")
class AsyncAcknowledgementTest {

    @RegisterExtension
    static final SharedApplications<KafkaTestApplication> APPLICATIONS = KafkaTestApplication.shared();

    /** Keeps the acknowledgements of what it got, by its body. */
    static class Pool implements Resettable {

        private final Journal journal;
        private final Map<String, Acknowledgment> open = new ConcurrentHashMap<>();
        private volatile BiConsumer<String, Acknowledgment> work = (body, acknowledgment) -> {};

        Pool(Journal journal) {
            this.journal = journal;
        }

        @Override
        public void reset() {
            open.clear();
            work = (body, acknowledgment) -> {};
        }

        void does(BiConsumer<String, Acknowledgment> what) {
            work = what;
        }

        Map<String, Acknowledgment> open() {
            return open;
        }

        @KafkaListener(id = "pool", idIsGroup = false, topics = "${test.topic}")
        @IdempotentListener(scope = SCOPE, lease = "${test.lease:30s}")
        void on(ConsumerRecord<String, String> record, Acknowledgment acknowledgment) {
            journal.write(record.value());
            work.accept(record.value(), acknowledgment);
            open.put(record.value(), acknowledgment);
        }
    }

    static class Recovering implements Resettable {

        private final List<String> recovered = new CopyOnWriteArrayList<>();

        @Override
        public void reset() {
            recovered.clear();
        }

        List<String> recovered() {
            return recovered;
        }

        @Bean
        DefaultErrorHandler errorHandler() {
            return new DefaultErrorHandler(
                    (record, failure) -> recovered.add(String.valueOf(record.value())), new FixedBackOff(0, 1));
        }
    }

    private static KafkaTestApplication.Builder pool(AckMode mode) {
        return KafkaTestApplication.with(APPLICATIONS, Pool.class, Recovering.class)
                .set("spring.kafka.listener.ack-mode", mode);
    }

    private static Acknowledgment awaitGot(KafkaTestApplication application, String body) {
        Map<String, Acknowledgment> open = application.bean(Pool.class).open();
        await().until(() -> open.containsKey(body));
        return Objects.requireNonNull(open.get(body));
    }

    private static RecordState state(KafkaTestApplication application, String key) {
        return application.store().look(key, SCOPE).orElseThrow().state();
    }

    private static void staysAt(KafkaTestApplication application, long committed) {
        await().during(Duration.ofSeconds(1)).until(() -> application.committed() == committed);
    }

    private static MessageListenerContainer container(KafkaTestApplication application) {
        return Objects.requireNonNull(
                application.bean(KafkaListenerEndpointRegistry.class).getListenerContainer("pool"));
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    void workIsRecordedAndCommittedWhenItsListenerAcknowledgesAndNotBefore(AckMode mode) {
        try (KafkaTestApplication application = pool(mode).start()) {
            List<Long> committedAtComplete = new CopyOnWriteArrayList<>();
            application.store().beforeComplete(() -> committedAtComplete.add(application.committed()));
            application.send("k1", "one");
            Acknowledgment one = awaitGot(application, "one");
            staysAt(application, -1);
            assertThat(state(application, "k1")).isEqualTo(RecordState.PENDING);

            one.acknowledge();

            assertThat(state(application, "k1")).isEqualTo(RecordState.COMPLETED);
            await().until(() -> application.committed() == 1);
            assertThat(committedAtComplete).containsExactly(-1L);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    void onlyWhatFollowsNothingUnacknowledgedIsCommitted(AckMode mode) {
        try (KafkaTestApplication application = pool(mode).start()) {
            List.of("one", "two", "three", "four").forEach(body -> application.send(body, body));
            awaitGot(application, "four");

            awaitGot(application, "two").acknowledge();
            awaitGot(application, "three").acknowledge();
            assertThat(state(application, "two")).isEqualTo(RecordState.COMPLETED);
            assertThat(state(application, "one")).isEqualTo(RecordState.PENDING);
            staysAt(application, -1);

            awaitGot(application, "one").acknowledge();
            await().until(() -> application.committed() == 3);
            staysAt(application, 3);
            awaitGot(application, "four").acknowledge();
            await().until(() -> application.committed() == 4);
        }
    }

    @Test
    void anAcknowledgementOnTheConsumersThreadCoversTheEarlierRecords() {
        try (KafkaTestApplication application = pool(AckMode.MANUAL).start()) {
            application.bean(Pool.class).does((body, acknowledgment) -> {
                if (body.equals("three")) {
                    acknowledgment.acknowledge();
                }
            });
            List.of("one", "two", "three").forEach(body -> application.send(body, body));

            await().until(() -> application.committed() == 3);
            assertThat(List.of("one", "two", "three"))
                    .allSatisfy(key -> assertThat(state(application, key)).isEqualTo(RecordState.COMPLETED));
            assertThat(application.journal().entries()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void aDuplicateBehindOpenWorkIsNotCommittedOverIt() {
        try (KafkaTestApplication application = pool(AckMode.MANUAL).start()) {
            application
                    .store()
                    .complete(application.store().occupy("k2", SCOPE, Duration.ofMinutes(5)), StoredResult.NONE);
            application.send("k1", "one");
            application.send("k2", "duplicate");
            application.send("k3", "three");
            awaitGot(application, "three");
            staysAt(application, -1);

            awaitGot(application, "one").acknowledge();

            await().until(() -> application.committed() == 2);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    void aRecoveredRecordIsNotCommittedBeforeTheOpenWorkInFrontOfIt(AckMode mode) {
        try (KafkaTestApplication application = pool(mode).start()) {
            application.bean(Pool.class).does((body, acknowledgment) -> {
                if (body.equals("poison")) {
                    throw new IllegalStateException("The test lets it fail");
                }
            });
            application.send("k1", "one");
            application.send("k2", "poison");
            application.send("k3", "three");
            awaitGot(application, "three");
            assertThat(application.bean(Recovering.class).recovered()).containsExactly("poison");
            staysAt(application, -1);

            awaitGot(application, "one").acknowledge();

            await().until(() -> application.committed() == 2);
            awaitGot(application, "three").acknowledge();
            await().until(() -> application.committed() == 3);
            assertThat(application.journal().entries()).containsExactly("one", "poison", "poison", "three");
        }
    }

    @Test
    void aNackOnAnotherThreadIsRefusedAndItsWorkIsNeverCommittedOver() {
        try (KafkaTestApplication application =
                pool(AckMode.MANUAL).set("test.lease", "2s").start()) {
            application.send("k1", "one");
            application.send("k2", "two");
            Acknowledgment one = awaitGot(application, "one");
            awaitGot(application, "two");

            assertThatThrownBy(() -> one.nack(Duration.ZERO))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("nack() can only be called on the consumer thread");
            awaitGot(application, "two").acknowledge();
            staysAt(application, -1);
            application.bean(Pool.class).does((body, acknowledgment) -> acknowledgment.acknowledge());
            container(application).stop();
            container(application).start();

            await().until(() -> application.committed() == 2);
            assertThat(application.journal().entries()).containsExactly("one", "two", "one");
        }
    }

    @Test
    void aConsumerThatStopsLeavesTheKeyToItsLeaseAndTheRecordIsTakenOver() {
        try (KafkaTestApplication application =
                pool(AckMode.MANUAL).set("test.lease", "2s").start()) {
            application.send("k1", "one");
            awaitGot(application, "one");
            application.bean(Pool.class).does((body, acknowledgment) -> acknowledgment.acknowledge());

            container(application).stop();
            container(application).start();

            await().until(() -> application.committed() == 1);
            assertThat(application.journal().entries()).containsExactly("one", "one");
        }
    }

    @Test
    void anAcknowledgementAfterTheConsumersStopIsRecordedAndNothingRuns() {
        try (KafkaTestApplication application = pool(AckMode.MANUAL).start()) {
            application.send("k1", "one");
            Acknowledgment one = awaitGot(application, "one");
            container(application).stop();

            one.acknowledge();

            assertThat(state(application, "k1")).isEqualTo(RecordState.COMPLETED);
            container(application).start();
            await().until(() -> application.committed() == 1);
            assertThat(application.journal().entries()).containsExactly("one");
        }
    }

    @Test
    void aRevokedPartitionsKeysExpireAndTheNewConsumerTakesThemOver() {
        try (KafkaTestApplication first =
                pool(AckMode.MANUAL).partitions(2).set("test.lease", "2s").start()) {
            first.sendAsItIs(keyed(first, 0));
            first.sendAsItIs(keyed(first, 1));
            awaitGot(first, "p0");
            awaitGot(first, "p1");
            try (KafkaTestApplication second =
                    pool(AckMode.MANUAL).beside(first).set("test.lease", "2s").start()) {
                await().until(() -> !second.bean(Pool.class).open().isEmpty());
                assertThat(second.journal().entries()).hasSize(1);
            }
        }
    }

    private static ProducerRecord<String, String> keyed(KafkaTestApplication application, int partition) {
        ProducerRecord<String, String> record =
                new ProducerRecord<>(application.topic(), partition, null, "p" + partition);
        record.headers().add(IdempotencyHeaders.KEY, ("k" + partition).getBytes(UTF_8));
        return record;
    }

    @Test
    void aLeaseIsNotRenewedForLongerThanTheLongestHold() {
        try (KafkaTestApplication application = pool(AckMode.MANUAL)
                .set("test.lease", "2s")
                .set("idem.consumer.outage.longest-hold", "100ms")
                .start()) {
            application.send("k1", "one");
            awaitGot(application, "one");

            application.send("k1", "copy");

            awaitGot(application, "copy");
        }
    }

    @Test
    void workThatCannotBeRecordedIsNotCommittedAndMayBeAcknowledgedAgain() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Pool.class, Recovering.class, NoHold.class)
                .set("spring.kafka.listener.ack-mode", AckMode.MANUAL)
                .start()) {
            application.send("k1", "one");
            Acknowledgment one = awaitGot(application, "one");
            application.store().failCompletions(1000);

            assertThatThrownBy(one::acknowledge)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("could not be recorded", "acknowledge it again");
            staysAt(application, -1);

            application.store().failCompletions(0);
            one.acknowledge();
            await().until(() -> application.committed() == 1);
            assertThat(state(application, "k1")).isEqualTo(RecordState.COMPLETED);
        }
    }

    @Test
    void manyThreadsMayAcknowledgeAtOnce() {
        int records = 200;
        List<String> bodies = new ArrayList<>(
                IntStream.range(0, records).mapToObj(i -> "k" + i).toList());
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (KafkaTestApplication application = pool(AckMode.MANUAL).start()) {
            bodies.forEach(body -> application.send(body, body));
            bodies.forEach(body -> awaitGot(application, body));
            Collections.shuffle(bodies, new Random(7));

            CompletableFuture.allOf(bodies.stream()
                            .map(body -> CompletableFuture.runAsync(
                                    () -> awaitGot(application, body).acknowledge(), threads))
                            .toArray(CompletableFuture[]::new))
                    .join();

            await().until(() -> application.committed() == records);
            assertThat(bodies)
                    .allSatisfy(key -> assertThat(state(application, key)).isEqualTo(RecordState.COMPLETED));
            assertThat(application.journal().entries()).hasSize(records);
        } finally {
            threads.shutdown();
        }
    }
}
