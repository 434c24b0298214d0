package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.BatchListenerTest.send;
import static io.idem.consumer.kafka.BatchListenerTest.startListener;
import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.consumer.contract.SharedApplications;
import io.idem.consumer.kafka.BatchListenerTest.Handler;
import io.idem.consumer.kafka.BatchListenersOfTests.Manual;
import io.idem.consumer.kafka.PollBudgetTest.Rebalances;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.kafka.support.Acknowledgment;

/** Batches in the modes in which the listener acknowledges. */
@Tag("servers")
class BatchAcknowledgementTest {

    @RegisterExtension
    static final SharedApplications<KafkaTestApplication> APPLICATIONS = KafkaTestApplication.shared();

    private static final Duration UNTIL_THE_TEST_SAYS_SO = Duration.ofMinutes(5);

    private static KafkaTestApplication.Builder manual(String mode) {
        return KafkaTestApplication.with(APPLICATIONS, Manual.class, Handler.class)
                .set("spring.kafka.listener.ack-mode", mode);
    }

    private static void done(KafkaTestApplication application, String key) {
        application.store().complete(application.store().occupy(key, SCOPE, UNTIL_THE_TEST_SAYS_SO), StoredResult.NONE);
    }

    private static RecordState state(KafkaTestApplication application, String key) {
        return application.store().look(key, SCOPE).orElseThrow().state();
    }

    @ParameterizedTest
    @ValueSource(strings = {"manual", "manual_immediate"})
    void whatIsDoneIsCommittedUpToTheFirstRecordInProgressAndTheOthersFollow(String mode) {
        try (KafkaTestApplication application = manual(mode).start()) {
            done(application, "k1");
            Lease otherOwner = application.store().occupy("k3", SCOPE, UNTIL_THE_TEST_SAYS_SO);
            List<Long> committedAtComplete = new CopyOnWriteArrayList<>();
            application.store().beforeComplete(() -> committedAtComplete.add(application.committed()));
            send(application, "one", "two", "three", "four");
            startListener(application, "manual");
            await().until(() -> application.committed() == 2);
            application.store().fail(otherOwner, Duration.ZERO);
            await().until(() -> application.committed() == 4);

            assertThat(application.journal().entries()).containsExactly("two", "three", "four");
            assertThat(committedAtComplete.get(0)).isEqualTo(-1);
        }
    }

    @Test
    void aBatchOfDuplicatesIsAcknowledgedForTheListener() {
        try (KafkaTestApplication application = manual("manual").start()) {
            done(application, "k1");
            done(application, "k2");
            send(application, "one", "two");
            startListener(application, "manual");
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).isEmpty();
        }
    }

    @Test
    void aPartialAcknowledgementCountsTheRecordsThatTheListenerGot() {
        try (KafkaTestApplication application = manual("manual_immediate").start()) {
            done(application, "k1");
            List<Acknowledgment> open = new CopyOnWriteArrayList<>();
            application.bean(Manual.class).does(ack -> {
                ack.acknowledge(1);
                open.add(ack);
            });
            send(application, "one", "two", "three", "four");
            startListener(application, "manual");
            await().until(() -> application.committed() == 3);

            assertThat(application.journal().entries()).containsExactly("two", "three", "four");
            assertThat(state(application, "k3")).isEqualTo(RecordState.COMPLETED);
            assertThat(state(application, "k4")).isEqualTo(RecordState.PENDING);
            open.get(0).acknowledge();
            assertThat(state(application, "k4")).isEqualTo(RecordState.COMPLETED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"manual", "manual_immediate"})
    void aBatchWithoutAnAcknowledgementIsNeitherDoneNorCommitted(String mode) {
        try (KafkaTestApplication application = manual(mode).start()) {
            List<Acknowledgment> open = new CopyOnWriteArrayList<>();
            List<Long> committedAtComplete = new CopyOnWriteArrayList<>();
            application.bean(Manual.class).does(open::add);
            application.store().beforeComplete(() -> committedAtComplete.add(application.committed()));
            send(application, "one", "two", "three");
            startListener(application, "manual");
            await().until(() -> open.size() == 1);
            staysAt(application, -1);
            assertThat(state(application, "k1")).isEqualTo(RecordState.PENDING);

            open.get(0).acknowledge();

            assertThat(List.of("k1", "k2", "k3"))
                    .allSatisfy(key -> assertThat(state(application, key)).isEqualTo(RecordState.COMPLETED));
            await().until(() -> application.committed() == 3);
            assertThat(committedAtComplete).containsOnly(-1L);
            assertThat(application.journal().entries()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void aBatchBehindOneThatIsNotAcknowledgedWaitsForIt() {
        try (KafkaTestApplication application = manual("manual").start()) {
            List<Acknowledgment> open = new CopyOnWriteArrayList<>();
            application.bean(Manual.class).does(open::add);
            send(application, "one", "two");
            startListener(application, "manual");
            await().until(() -> open.size() == 1);
            application.send("k3", "three");
            staysAt(application, -1);
            assertThat(application.journal().entries()).containsExactly("one", "two");

            open.get(0).acknowledge();
            await().until(() -> open.size() == 2);
            open.get(1).acknowledge();

            await().until(() -> application.committed() == 3);
            assertThat(application.journal().entries()).containsExactly("one", "two", "three");
        }
    }

    @Test
    void anOpenBatchIsNotCommittedWithTheRecordsBeforeOneInProgress() {
        try (KafkaTestApplication application = manual("manual").start()) {
            Lease otherOwner = application.store().occupy("k2", SCOPE, UNTIL_THE_TEST_SAYS_SO);
            List<Acknowledgment> open = new CopyOnWriteArrayList<>();
            application.bean(Manual.class).does(open::add);
            send(application, "one", "two");
            startListener(application, "manual");
            await().until(() -> open.size() == 1);
            staysAt(application, -1);

            open.get(0).acknowledge();
            await().until(() -> application.committed() == 1);
            assertThat(state(application, "k1")).isEqualTo(RecordState.COMPLETED);
            application.store().fail(otherOwner, Duration.ZERO);
            await().until(() -> open.size() == 2);
            open.get(1).acknowledge();

            await().until(() -> application.committed() == 2);
            assertThat(application.journal().entries()).containsExactly("one", "two");
        }
    }

    private static void staysAt(KafkaTestApplication application, long committed) {
        await().during(Duration.ofSeconds(1)).until(() -> application.committed() == committed);
    }

    @Test
    void whatWasAcknowledgedByIndexBeforeAFailureIsDoneAndTheRestComesAgain() {
        try (KafkaTestApplication application = manual("manual_immediate").start()) {
            AtomicInteger calls = new AtomicInteger();
            application.bean(Manual.class).does(ack -> {
                if (calls.incrementAndGet() == 1) {
                    ack.acknowledge(0);
                    throw new IllegalStateException("after the first");
                }
                ack.acknowledge();
            });
            send(application, "one", "two");
            startListener(application, "manual");
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("one", "two", "two");
        }
    }

    @Test
    void recordsThatTheListenerGivesBackComeAgainAndThoseBeforeThemAreDone() {
        try (KafkaTestApplication application = manual("manual").start()) {
            done(application, "k1");
            AtomicInteger calls = new AtomicInteger();
            application.bean(Manual.class).does(ack -> {
                if (calls.incrementAndGet() == 1) {
                    ack.nack(1, Duration.ofMillis(10));
                } else {
                    ack.acknowledge();
                }
            });
            send(application, "one", "two", "three", "four");
            startListener(application, "manual");
            await().until(() -> application.committed() == 4);

            assertThat(application.journal().entries()).startsWith("two", "three", "four", "three");
            assertThat(application.journal().entries())
                    .filteredOn("two"::equals)
                    .hasSize(1);
            assertThat(application.bean(Handler.class).recovered()).isEmpty();
        }
    }

    @Test
    void recordsHandedBackPauseForTheirSleepAndTheConsumerStaysInTheGroup() {
        Duration sleep = Duration.ofSeconds(4);
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Manual.class, Handler.class, Rebalances.class)
                .set("spring.kafka.listener.ack-mode", "manual")
                .set("spring.kafka.consumer.properties.max.poll.interval.ms", 3_000)
                .start()) {
            List<Long> calls = new CopyOnWriteArrayList<>();
            application.bean(Manual.class).does(ack -> {
                calls.add(System.nanoTime());
                if (calls.size() == 1) {
                    ack.nack(1, sleep);
                } else {
                    ack.acknowledge();
                }
            });
            send(application, "one", "two", "three");
            startListener(application, "manual");
            await().atMost(Duration.ofMinutes(2)).until(() -> application.committed() == 3);

            assertThat(Duration.ofNanos(calls.get(1) - calls.get(0))).isGreaterThanOrEqualTo(sleep);
            assertThat(application.journal().entries()).containsExactly("one", "two", "three", "two", "three");
            assertThat(application.bean(Rebalances.class).lost()).isEmpty();
        }
    }

    @Test
    void aPartialAcknowledgementIsRefusedIfTheContainerCountsOtherRecords() {
        try (KafkaTestApplication application = KafkaTestApplication.with(
                        APPLICATIONS, Manual.class, Handler.class, BatchListenerTest.Filter.class)
                .set("spring.kafka.listener.ack-mode", "manual_immediate")
                .set("test.filter", "dropTwo")
                .start()) {
            List<String> refusals = new CopyOnWriteArrayList<>();
            application.bean(Manual.class).does(ack -> {
                try {
                    ack.acknowledge(0);
                } catch (IllegalStateException refused) {
                    refusals.add(String.valueOf(refused.getMessage()));
                }
                ack.acknowledge();
            });
            send(application, "one", "two", "three");
            startListener(application, "manual");
            await().until(() -> application.committed() == 3);

            assertThat(refusals).singleElement().asString().contains("RecordFilterStrategy", "acknowledge()");
            assertThat(application.journal().entries()).containsExactly("one", "three");
        }
    }
}
