package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Lease;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.contract.SharedApplications;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/** Work, COMPLETE, acknowledgement: in this order, in every mode. */
class AcknowledgementTest {

    @RegisterExtension
    static final SharedApplications<KafkaTestApplication> APPLICATIONS = KafkaTestApplication.shared();

    private static KafkaTestApplication start(AckMode mode) {
        boolean manual = mode.name().startsWith("MANUAL");
        return KafkaTestApplication.with(APPLICATIONS, manual ? Listeners.Manual.class : Listeners.Plain.class)
                .set("spring.kafka.listener.ack-mode", mode)
                .set("spring.kafka.listener.ack-count", 1)
                .set("spring.kafka.listener.ack-time", "50ms")
                .start();
    }

    @ParameterizedTest
    @EnumSource(AckMode.class)
    void theOffsetIsCommittedAfterTheWorkIsRecorded(AckMode mode) {
        List<Long> committedAtComplete = new CopyOnWriteArrayList<>();
        try (KafkaTestApplication application = start(mode)) {
            application.store().beforeComplete(() -> committedAtComplete.add(application.committed()));
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);
            application.send("k2", "two");
            await().until(() -> application.committed() == 2);

            assertThat(application.journal().entries()).containsExactly("one", "two");
            assertThat(committedAtComplete).containsExactly(-1L, 1L);
        }
    }

    @ParameterizedTest
    @EnumSource(AckMode.class)
    void aDuplicateIsAcknowledgedWithoutRunning(AckMode mode) {
        try (KafkaTestApplication application = start(mode)) {
            application.send("k1", "one");
            application.send("k1", "one again");
            application.send("k2", "two");
            await().until(() -> application.committed() == 3);

            assertThat(application.journal().entries()).containsExactly("one", "two");
            assertThat(application.journal().events(ConsumerEvent.Duplicate.class))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"RECORD", "BATCH", "TIME", "MANUAL"})
    void anEffectThatIsNotRecordedYetIsNotAcknowledgedAndNotRepeated(AckMode mode) {
        List<Long> committedAtComplete = new CopyOnWriteArrayList<>();
        try (KafkaTestApplication application = start(mode)) {
            application.store().failCompletions(2);
            application.store().beforeComplete(() -> committedAtComplete.add(application.committed()));
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(application.journal().entries()).containsExactly("one");
            assertThat(committedAtComplete).containsExactly(-1L, -1L, -1L);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"RECORD", "BATCH", "TIME", "MANUAL"})
    void aRecordInProgressWaitsForTheOtherOwnerAndKeepsItsPlace(AckMode mode) {
        try (KafkaTestApplication application = start(mode)) {
            Lease otherOwner = application.store().occupy("k1", KafkaTestApplication.SCOPE, Duration.ofMinutes(5));
            application.send("k1", "one");
            application.send("k2", "two");
            await().until(() ->
                    !application.journal().events(ConsumerEvent.Deferred.class).isEmpty());
            assertThat(application.committed()).isEqualTo(-1);

            application.store().fail(otherOwner, Duration.ZERO);
            await().until(() -> application.committed() == 2);
            assertThat(application.journal().entries()).containsExactly("one", "two");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"RECORD", "BATCH", "TIME", "MANUAL"})
    void aFailureGivesTheKeyBackAndTheContainersOwnHandlerTriesAgain(AckMode mode) {
        try (KafkaTestApplication application = start(mode)) {
            AtomicInteger failures = new AtomicInteger(2);
            failing(application, failures);
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(application.journal().entries()).containsExactly("one", "one", "one");
            assertThat(application.store().look("k1", KafkaTestApplication.SCOPE))
                    .hasValueSatisfying(record -> {
                        assertThat(record.state()).isEqualTo(RecordState.COMPLETED);
                        assertThat(record.attempts()).isEqualTo(3);
                    });
        }
    }

    private static void failing(KafkaTestApplication application, AtomicInteger failures) {
        if (application.context().getBeanNamesForType(Listeners.Manual.class).length > 0) {
            application.bean(Listeners.Manual.class).does(acknowledgment -> {
                acknowledgment.acknowledge();
                failIf(failures);
            });
        } else {
            application.bean(Listeners.Plain.class).does(record -> failIf(failures));
        }
    }

    private static void failIf(AtomicInteger failures) {
        if (failures.getAndDecrement() > 0) {
            throw new IllegalStateException("card refused");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    void whatTheListenerAcknowledgesBeforeItFailsIsNotCommitted(AckMode mode) {
        List<Long> committedAtRetry = new CopyOnWriteArrayList<>();
        try (KafkaTestApplication application = start(mode)) {
            AtomicInteger failures = new AtomicInteger(1);
            application.bean(Listeners.Manual.class).does(acknowledgment -> {
                committedAtRetry.add(application.committed());
                acknowledgment.acknowledge();
                failIf(failures);
            });
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(committedAtRetry).containsExactly(-1L, -1L);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    void aRecordThatTheListenerGivesBackComesAgainAndRunsAgain(AckMode mode) {
        try (KafkaTestApplication application = start(mode)) {
            AtomicInteger refusals = new AtomicInteger(1);
            application.bean(Listeners.Manual.class).does(acknowledgment -> {
                if (refusals.getAndDecrement() > 0) {
                    acknowledgment.nack(Duration.ofMillis(10));
                } else {
                    acknowledgment.acknowledge();
                }
            });
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(application.journal().entries()).containsExactly("one", "one");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = AckMode.class,
            names = {"MANUAL", "MANUAL_IMMEDIATE"})
    void whatTheListenerSaysOnAnotherThreadReachesTheContainerOnItsConsumers(AckMode mode) {
        try (KafkaTestApplication application = start(mode)) {
            AtomicInteger refusals = new AtomicInteger(1);
            application
                    .bean(Listeners.Manual.class)
                    .does(acknowledgment -> CompletableFuture.runAsync(() -> {
                                if (refusals.getAndDecrement() > 0) {
                                    acknowledgment.nack(Duration.ofMillis(10));
                                } else {
                                    acknowledgment.acknowledge();
                                }
                            })
                            .join());
            application.send("k1", "one");
            await().until(() -> application.committed() == 1);

            assertThat(application.journal().entries()).containsExactly("one", "one");
        }
    }
}
