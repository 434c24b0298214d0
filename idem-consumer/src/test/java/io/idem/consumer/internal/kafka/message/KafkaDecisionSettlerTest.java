package io.idem.consumer.internal.kafka.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import ch.qos.logback.classic.Level;
import io.idem.Scope;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.LoggedLines;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.ListenerStops;
import io.idem.consumer.kafka.KafkaDeadLetterException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.support.Acknowledgment;

/** Every decision acknowledges, throws, or makes a dead letter and then acknowledges; nothing else. */
class KafkaDecisionSettlerTest {

    private static final Scope SCOPE = new Scope("payments");
    private static final Duration REDELIVERY_DELAY = Duration.ofSeconds(10);
    private static final DeliveryDecision.DeadLetter DEAD =
            new DeliveryDecision.DeadLetter(SCOPE, "no such account", 3);
    private final ListenerConfigurationException refusal =
            new ListenerConfigurationException("the method is final", "make it overridable", null);

    private final List<String> steps = new ArrayList<>();
    private final ConsumerRecord<String, String> record = new ConsumerRecord<>("events", 1, 7, "k", "one");
    private final Delivery delivery = new Delivery(new KafkaDelivery(record, () -> false));
    private final Acknowledgment container = () -> steps.add("acknowledged");
    private final NeverEnding endless = new NeverEnding();
    private final ListenerStops stops = new ListenerStops(() -> steps.add("stopped"));
    private DeadLetterWay letters = (dead, why) -> steps.add("letter");

    private KafkaDecisionSettler settler() {
        return new KafkaDecisionSettler(
                "the listener",
                new ConsumerEvents(List.of(event -> steps.add(event.getClass().getSimpleName()))),
                (dead, why) -> letters.send(dead, why),
                REDELIVERY_DELAY,
                new ContainerStop(endless, () -> stops),
                new HashMap<>());
    }

    private void settle(@Nullable RuntimeException failure) {
        settler().settle(record, delivery, null, container, failure);
    }

    private KeyInProgressException settledInProgress(@Nullable RuntimeException failure) {
        return catchThrowableOfType(KeyInProgressException.class, () -> settle(failure));
    }

    static Stream<DeliveryDecision> verdictsThatAcknowledge() {
        return Stream.of(new DeliveryDecision.Duplicate(), new DeliveryDecision.Skipped());
    }

    @ParameterizedTest
    @MethodSource("verdictsThatAcknowledge")
    void aRecordThatNeedNotRunIsAcknowledgedForItsListener(DeliveryDecision decision) {
        delivery.decide(decision);

        settle(null);

        assertThat(steps).containsExactly("acknowledged");
    }

    @Test
    void aRecordThatRanIsLeftToWhatItsListenerSaid() {
        delivery.decide(new DeliveryDecision.Ran());

        settle(null);

        assertThat(steps).isEmpty();
    }

    @Test
    void whatAListenerSaidReachesTheContainerOnceItsWorkIsRecorded() {
        DeferredAcknowledgment said = new DeferredAcknowledgment(container, delivery);
        said.acknowledge();
        assertThat(steps).isEmpty();
        delivery.decide(new DeliveryDecision.Ran());

        settler().settle(record, delivery, said, container, null);

        assertThat(steps).containsExactly("acknowledged");
    }

    @Test
    void whatAListenerSaidWaitsForWorkThatIsStillUnderWay() {
        DeferredAcknowledgment said = new DeferredAcknowledgment(container, delivery);
        said.acknowledge();
        delivery.decide(new DeliveryDecision.Handed());

        settler().settle(record, delivery, said, container, null);

        assertThat(steps).isEmpty();
    }

    static Stream<Arguments> waits() {
        return Stream.of(
                arguments(Duration.ZERO, REDELIVERY_DELAY),
                arguments(Duration.ofSeconds(3), Duration.ofSeconds(3)),
                arguments(REDELIVERY_DELAY, REDELIVERY_DELAY),
                arguments(Duration.ofSeconds(11), REDELIVERY_DELAY));
    }

    @ParameterizedTest
    @MethodSource("waits")
    void aRecordInProgressComesAgainAfterNoMoreThanTheRedeliveryDelay(Duration asked, Duration pause) {
        delivery.decide(new DeliveryDecision.Defer(SCOPE, asked, "another owner holds the lease"));

        assertThat(settledInProgress(null).pause()).isEqualTo(pause);
        assertThat(steps).containsExactly("Deferred");
    }

    @Test
    void aRecordThatItsListenerGaveBackRestsForAsLongAsTheListenerSays() {
        DeliveryDecision.Defer unhurried = new DeliveryDecision.Defer(SCOPE, Duration.ofMinutes(5), "given back");

        assertThat(settler().handedBack(record, delivery, unhurried).pause()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void aRecordInProgressStaysInProgressWhateverWasThrownBesides() {
        delivery.decide(new DeliveryDecision.Defer(SCOPE, Duration.ZERO, "another owner holds the lease"));

        assertThat(settledInProgress(new IllegalStateException("by an aspect"))).isNotNull();
        assertThat(steps).containsExactly("Deferred");
    }

    @Test
    void aDeadLetterIsCertainBeforeItsRecordIsAcknowledged() {
        delivery.decide(DEAD);

        settle(null);

        assertThat(steps).containsExactly("letter", "DeadLettered", "acknowledged");
        assertThat(record.headers().lastHeader(IdempotencyHeaders.REASON).value())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("no such account");
    }

    @Test
    void aRecordWhoseDeadLetterIsNotCertainComesAgainAndIsNoDeadLetterYet() {
        delivery.decide(DEAD);
        letters = (dead, why) -> {
            throw new IllegalStateException("the broker refused it");
        };

        try (LoggedLines lines = new LoggedLines()) {
            assertThat(settledInProgress(null)).hasRootCauseMessage("the broker refused it");
            assertThat(steps).isEmpty();
            assertThat(lines.ofIdem(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("no such account", "comes again")
                    .doesNotContain("is a dead letter");
        }
    }

    @Test
    void aRecordWhoseDeadLetterMustWaitIsNoDeadLetterYet() {
        delivery.decide(DEAD);
        KeyInProgressException waiting =
                new KeyInProgressException("too large", new TopicPartition("events", 1), REDELIVERY_DELAY, null, null);
        letters = (dead, why) -> {
            throw waiting;
        };

        try (LoggedLines lines = new LoggedLines()) {
            assertThat(settledInProgress(null)).isSameAs(waiting);
            assertThat(steps).isEmpty();
            assertThat(lines.ofIdem(Level.WARN)).isEmpty();
        }
    }

    @Test
    void aDeadLetterOfTheContainersIsNotAcknowledged() {
        delivery.decide(DEAD);
        letters = (dead, why) -> {
            throw why;
        };

        assertThatThrownBy(() -> settle(null))
                .isInstanceOf(KafkaDeadLetterException.class)
                .hasMessageContaining("no such account");
        assertThat(steps).containsExactly("DeadLettered");
    }

    @Test
    void aFailureThatNoRetryCuresIsADeadLetter() {
        delivery.decide(new DeliveryDecision.Failed(Optional.of(DEAD)));

        settle(new IllegalStateException("refused"));

        assertThat(steps).containsExactly("letter", "DeadLettered", "acknowledged");
    }

    @Test
    void aFailureThatTheApplicationTookOverIsNoDeadLetter() {
        delivery.decide(new DeliveryDecision.Failed(Optional.of(DEAD)));

        settle(null);

        assertThat(steps).isEmpty();
    }

    @Test
    void aFailureReachesTheContainerAndNothingIsAcknowledged() {
        IllegalStateException failure = new IllegalStateException("card refused");
        delivery.decide(new DeliveryDecision.Failed(Optional.empty()));

        assertThatThrownBy(() -> settle(failure)).isSameAs(failure);
        assertThat(steps).isEmpty();
    }

    @Test
    void aFailureThatWasNotDecidedReachesTheContainerToo() {
        IllegalStateException failure = new IllegalStateException("in front of the listener");

        assertThatThrownBy(() -> settle(failure)).isSameAs(failure);
        assertThat(steps).isEmpty();
    }

    @Test
    void aRefusalStopsTheContainerAndGivesTheRecordBack() {
        IllegalStateException failure = new IllegalStateException(refusal);

        assertThat(settledInProgress(failure)).hasCause(refusal);
        assertThat(steps).containsExactly("stopped");
        assertThat(settler().sinceStopped(record)).isPresent();
    }

    @Test
    void aListenerThatWasNotCalledStopsItsContainer() {
        assertThat(settledInProgress(null)).hasMessageContaining("events-1@7 is stopped");
        assertThat(steps).containsExactly("stopped");
    }

    @Test
    void nothingIsGivenBackBeforeTheContainerStops() {
        assertThat(settler().sinceStopped(record)).isEmpty();
        assertThat(settler().stopsFor(new IllegalStateException("card refused")))
                .isFalse();
        assertThat(settler().stopsFor(refusal)).isTrue();
        assertThat(steps).containsExactly("stopped");
    }

    /** A container whose end nobody sees. */
    private static final class NeverEnding implements SmartLifecycle {

        @Override
        public void start() {}

        @Override
        public void stop() {}

        @Override
        public void stop(Runnable callback) {}

        @Override
        public boolean isRunning() {
            return true;
        }
    }
}
