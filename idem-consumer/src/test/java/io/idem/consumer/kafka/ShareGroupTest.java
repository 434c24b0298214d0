package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ShareKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultShareConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties.ShareAckMode;
import org.springframework.kafka.support.ShareAcknowledgment;

/**
 * Share groups: what is busy is kept by renewing its lock, so that the broker never counts it towards its end. Alone, for until it is
 * assigned anything Kafka's share consumer polls without pause on two threads, which starves the brokers of tests beside it.
 */
@Tag("extended")
@Tag("alone")
class ShareGroupTest {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(2);
    private static final Duration UNTIL_THE_TEST_SAYS_SO = Duration.ofMinutes(5);

    private static KafkaTestApplication application;
    private static int tests;

    private final String key = "k" + tests++;

    @BeforeAll
    static void start() throws InterruptedException, ExecutionException {
        assumeTrue(sharesRecords(), "The broker has no share groups: Kafka before 4.2");
        application = KafkaTestApplication.with(Explicit.class, Manual.class, Factories.class)
                .set("idem.consumer.kafka.redelivery-delay", "50ms")
                .start();
    }

    private static boolean sharesRecords() throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", KafkaTestApplication.bootstrapServers()))) {
            FinalizedVersionRange version = admin.describeFeatures()
                    .featureMetadata()
                    .get()
                    .finalizedFeatures()
                    .get("share.version");
            return version != null && version.maxVersionLevel() >= 1;
        }
    }

    @AfterAll
    static void stop() {
        if (application != null) {
            application.close();
        }
    }

    private static Explicit explicit() {
        return application.bean(Explicit.class);
    }

    private static Manual manual() {
        return application.bean(Manual.class);
    }

    private static Factories factories() {
        return application.bean(Factories.class);
    }

    private List<Integer> deliveries() {
        return explicit().deliveries(key);
    }

    private RecordState state(String scope) {
        return application.store().look(key, scope).orElseThrow().state();
    }

    private int events(Class<? extends ConsumerEvent> type, String scope) {
        return (int) application.journal().events(type).stream()
                .filter(event -> event.scope().name().equals(scope))
                .count();
    }

    @Test
    void aRecordInProgressForManyPollsIsNeitherReleasedNorArchivedAndRuns() {
        Lease otherOwner = application.store().occupy(key, SCOPE, UNTIL_THE_TEST_SAYS_SO);
        int before = events(ConsumerEvent.Deferred.class, SCOPE);
        application.send(key, key);
        await().atMost(TIME_LIMIT).until(() -> events(ConsumerEvent.Deferred.class, SCOPE) - before >= 7);
        assertThat(deliveries()).isEmpty();
        application.store().fail(otherOwner, Duration.ZERO);

        await().atMost(TIME_LIMIT).until(() -> deliveries().equals(List.of(1)));
        await().atMost(TIME_LIMIT).until(() -> state(SCOPE) == RecordState.COMPLETED);
        assertThat(factories().recovered(key)).isEmpty();
    }

    @Test
    void aRecordIsAcceptedAfterItsWorkIsRecordedAndADuplicateDoesNotRun() {
        List<Boolean> acceptedAtComplete = new CopyOnWriteArrayList<>();
        application.store().beforeComplete(() -> {
            if (Thread.currentThread().getName().startsWith("explicit")) {
                acceptedAtComplete.add(
                        factories().acknowledged("").contains(explicit().offset(key)));
            }
        });
        application.send(key, key);
        application.send(key, key);
        await().atMost(TIME_LIMIT).until(() -> !deliveries().isEmpty());
        long first = explicit().offset(key);
        await().atMost(TIME_LIMIT).until(() -> factories().acknowledged("").containsAll(List.of(first, first + 1)));
        await().atMost(TIME_LIMIT)
                .until(() -> factories().acknowledged("-manual").containsAll(List.of(first, first + 1)));
        application.store().beforeComplete(() -> {});

        assertThat(acceptedAtComplete).containsExactly(false);
        assertThat(deliveries()).containsExactly(1);
        assertThat(manual().deliveries(key)).containsExactly(1);
    }

    @Test
    void aFailureGivesTheKeyBackAndGoesToTheApplicationsRecoverer() {
        explicit().failOnce(key);
        application.send(key, key);

        await().atMost(TIME_LIMIT).until(() -> deliveries().equals(List.of(1, 2)));
        await().atMost(TIME_LIMIT).until(() -> state(SCOPE) == RecordState.COMPLETED);
        assertThat(factories().recovered(key)).containsExactly("card refused");
        assertThat(application.store().look(key, SCOPE).orElseThrow().attempts())
                .isEqualTo(2);
    }

    @Test
    void whatIdemRefusesForGoodGoesToTheRecovererToo() {
        application.store().reject(application.store().occupy(key, SCOPE, UNTIL_THE_TEST_SAYS_SO), "no such account");
        application.send(key, key);

        await().atMost(TIME_LIMIT).until(() -> !factories().recovered(key).isEmpty());
        assertThat(factories().recovered(key))
                .singleElement()
                .asString()
                .contains("refused for good", "its record is rejected: no such account");
        assertThat(deliveries()).isEmpty();
    }

    @Test
    void whatTheListenerReleasesComesAgainAndRunsAgain() {
        manual().releaseOnce(key);
        application.send(key, key);

        await().atMost(TIME_LIMIT).until(() -> manual().deliveries(key).equals(List.of(1, 2)));
        await().atMost(TIME_LIMIT).until(() -> state("manual") == RecordState.COMPLETED);
    }

    @Test
    void aListenerThatAcknowledgesIsHeldForAKeyInProgressToo() {
        Lease otherOwner = application.store().occupy(key, "manual", UNTIL_THE_TEST_SAYS_SO);
        int before = events(ConsumerEvent.Deferred.class, "manual");
        int duplicates = events(ConsumerEvent.Duplicate.class, "manual");
        application.send(key, key);
        await().atMost(TIME_LIMIT).until(() -> events(ConsumerEvent.Deferred.class, "manual") - before >= 3);
        application.store().complete(otherOwner, StoredResult.NONE);

        await().atMost(TIME_LIMIT).until(() -> events(ConsumerEvent.Duplicate.class, "manual") == duplicates + 1);
        assertThat(manual().deliveries(key)).isEmpty();
        assertThat(factories().recovered(key)).isEmpty();
    }

    /** An accepted record never comes again: then there would be no second attempt to publish. */
    @ParameterizedTest
    @ValueSource(strings = {SCOPE, "manual"})
    void aRecordIsNotAcceptedBeforeItsDeadLetterIsConfirmed(String scope) {
        try (KafkaTestApplication own = KafkaTestApplication.with(
                        Explicit.class, Manual.class, Factories.class, RefusedLetters.class)
                .set("idem.consumer.kafka.redelivery-delay", "50ms")
                .set("idem.consumer.kafka.dead-letter.topic-suffix", "-dead")
                .start()) {
            String letters = own.topic() + "-dead";
            PublishedRecords.create(letters);
            own.store().reject(own.store().occupy(key, scope, UNTIL_THE_TEST_SAYS_SO), "no such account");
            own.send(key, key);
            await().atMost(TIME_LIMIT).until(() -> PublishedRecords.count(letters) == 1);

            assertThat(own.bean(RefusedLetters.class).seenBeforeEach()).hasSize(3);
            assertThat(own.bean(Factories.class).recovered(key)).isEmpty();
        }
    }

    private static List<Integer> counts(List<ConsumerRecord<String, String>> records, String value) {
        return records.stream()
                .filter(record -> value.equals(record.value()))
                .map(record -> (int) record.deliveryCount().orElseThrow())
                .toList();
    }

    /** Its container accepts what it returns from. */
    static class Explicit {

        private final List<ConsumerRecord<String, String>> calls = new CopyOnWriteArrayList<>();
        private final Set<String> failing = ConcurrentHashMap.newKeySet();

        void failOnce(String value) {
            failing.add(value);
        }

        List<Integer> deliveries(String value) {
            return counts(calls, value);
        }

        long offset(String value) {
            return calls.stream()
                    .filter(record -> value.equals(record.value()))
                    .findFirst()
                    .orElseThrow()
                    .offset();
        }

        @KafkaListener(
                id = "explicit",
                groupId = "${test.topic}",
                topics = "${test.topic}",
                containerFactory = "explicitShares")
        @IdempotentListener(scope = SCOPE)
        void on(ConsumerRecord<String, String> record) {
            calls.add(record);
            if (failing.remove(record.value())) {
                throw new IllegalStateException("card refused");
            }
        }
    }

    /** Accepts by itself. */
    static class Manual {

        private final List<ConsumerRecord<String, String>> calls = new CopyOnWriteArrayList<>();
        private final Set<String> released = ConcurrentHashMap.newKeySet();

        void releaseOnce(String value) {
            released.add(value);
        }

        List<Integer> deliveries(String value) {
            return counts(calls, value);
        }

        @KafkaListener(
                id = "manual",
                groupId = "${test.topic}-manual",
                topics = "${test.topic}",
                containerFactory = "manualShares")
        @IdempotentListener(scope = "manual")
        void on(ConsumerRecord<String, String> record, ShareAcknowledgment acknowledgment) {
            calls.add(record);
            if (released.remove(record.value())) {
                acknowledgment.release();
            } else {
                acknowledgment.acknowledge();
            }
        }
    }

    /** A factory for each way to acknowledge, with one recoverer: what failed comes again, what idem refuses does not. */
    static class Factories {

        private final List<List<String>> recovered = new CopyOnWriteArrayList<>();
        private final Map<String, Set<Long>> acknowledged = new ConcurrentHashMap<>();

        /** The offsets that the broker has confirmed to the group of that suffix. */
        Set<Long> acknowledged(String suffix) {
            return acknowledged.getOrDefault(application.topic() + suffix, Set.of());
        }

        List<String> recovered(String value) {
            return recovered.stream()
                    .filter(one -> one.get(0).equals(value))
                    .map(one -> one.get(1))
                    .toList();
        }

        @Bean
        ShareKafkaListenerContainerFactory<String, String> explicitShares(Environment environment) {
            return factory(ShareAckMode.EXPLICIT, environment.getRequiredProperty("test.topic"));
        }

        @Bean
        ShareKafkaListenerContainerFactory<String, String> manualShares(Environment environment) {
            return factory(ShareAckMode.MANUAL, environment.getRequiredProperty("test.topic") + "-manual");
        }

        private ShareKafkaListenerContainerFactory<String, String> factory(ShareAckMode mode, String group) {
            readFromTheBeginning(group);
            ShareKafkaListenerContainerFactory<String, String> factory =
                    new ShareKafkaListenerContainerFactory<>(new DefaultShareConsumerFactory<>(Map.of(
                            "bootstrap.servers",
                            KafkaTestApplication.bootstrapServers(),
                            "key.deserializer",
                            StringDeserializer.class,
                            "value.deserializer",
                            StringDeserializer.class)));
            factory.getContainerProperties().setShareAckMode(mode);
            factory.getContainerProperties()
                    .setAcknowledgementCommitCallback((offsets, failure) -> offsets.values()
                            .forEach(done -> acknowledged
                                    .computeIfAbsent(group, unused -> ConcurrentHashMap.newKeySet())
                                    .addAll(done)));
            factory.setShareConsumerRecordRecoverer((record, failure) -> recover(record, failure));
            return factory;
        }

        private AcknowledgeType recover(ConsumerRecord<?, ?> record, Exception failure) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            recovered.add(List.of(String.valueOf(record.value()), String.valueOf(cause.getMessage())));
            return failure instanceof KafkaDeadLetterException ? AcknowledgeType.REJECT : AcknowledgeType.RELEASE;
        }

        private static void readFromTheBeginning(String group) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", KafkaTestApplication.bootstrapServers()))) {
                admin.incrementalAlterConfigs(Map.of(
                                new ConfigResource(ConfigResource.Type.GROUP, group),
                                List.of(new AlterConfigOp(
                                        new ConfigEntry("share.auto.offset.reset", "earliest"),
                                        AlterConfigOp.OpType.SET))))
                        .all()
                        .get();
            } catch (InterruptedException | ExecutionException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }
}
