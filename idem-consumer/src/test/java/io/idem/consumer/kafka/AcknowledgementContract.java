package io.idem.consumer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Lease;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.contract.SharedApplications;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.kafka.listener.ContainerProperties.AckMode;

/** Work, COMPLETE, acknowledgement: in this order, in every mode. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("servers")
abstract class AcknowledgementContract {

    @RegisterExtension
    static final SharedApplications<KafkaTestApplication> APPLICATIONS = KafkaTestApplication.shared();

    /** Returns the modes that the class tests. */
    abstract Stream<AckMode> modes();

    /** Returns these modes without MANUAL_IMMEDIATE, for cases in which it acts as MANUAL does. */
    Stream<AckMode> distinctModes() {
        return modes().filter(mode -> mode != AckMode.MANUAL_IMMEDIATE);
    }

    static KafkaTestApplication start(AckMode mode) {
        boolean manual = mode.name().startsWith("MANUAL");
        return KafkaTestApplication.with(APPLICATIONS, manual ? Listeners.Manual.class : Listeners.Plain.class)
                .set("spring.kafka.listener.ack-mode", mode)
                .set("spring.kafka.listener.ack-count", 1)
                .set("spring.kafka.listener.ack-time", "50ms")
                .start();
    }

    @ParameterizedTest
    @MethodSource("modes")
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
    @MethodSource("modes")
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
    @MethodSource("distinctModes")
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
    @MethodSource("distinctModes")
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
    @MethodSource("distinctModes")
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

    static void failIf(AtomicInteger failures) {
        if (failures.getAndDecrement() > 0) {
            throw new IllegalStateException("card refused");
        }
    }
}
