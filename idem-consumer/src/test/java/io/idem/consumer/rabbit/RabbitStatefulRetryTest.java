package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Lease;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.amqp.rabbit.retry.RepublishMessageRecoverer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;

/** Boot's stateful retry: every try is a delivery, and the container counts them by the message's id. */
class RabbitStatefulRetryTest extends SharedRabbitScenario {

    private static final String STATEFUL = "spring.rabbitmq.listener.simple.retry.stateless=false";
    private static final String REQUEUEING = "spring.rabbitmq.listener.simple.default-requeue-rejected=true";

    private void send(String key, String body, String messageId) {
        app().template().convertAndSend(app().name(), PAYMENTS, body, message -> {
            message.getMessageProperties().setMessageId(messageId);
            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, key);
            return message;
        });
    }

    @Test
    void aStatefulRetryCountsFailuresAndNoDeferrals() {
        launch(AutoListeners.class, STATEFUL, REQUEUEING);
        Lease otherOwner = takeAsOtherOwner("k1");
        send("k1", "one", "m1");
        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 4);
        script().then(ListenerScript.fail(), ListenerScript.fail());

        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(script().calls()).hasSize(3);
        assertThat(app().deadLetters()).isEmpty();
    }

    @Test
    void aMessageThatExhaustsAStatefulRetryIsTakenOverAndNotCompleted() {
        launch(AutoListeners.class, STATEFUL, REQUEUEING);
        script().then(IntStream.range(0, 9)
                .mapToObj(any -> ListenerScript.fail())
                .toArray(ListenerScript.Step[]::new));

        send("k1", "one", "m1");

        awaitUntil(() -> app().deadLetters().contains("one"));
        assertThat(script().calls()).hasSize(3);
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);
    }

    /** Even if the container is told to acknowledge such messages itself, which would take all before them along. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAsyncListenersMessageThatARecovererHasTakenOverDoesNotComeAgain(boolean immediateAck) {
        launch(
                List.of(RabbitAsyncListenerTest.Throwing.class, Republishing.class),
                STATEFUL,
                REQUEUEING,
                "test.immediate-ack=" + immediateAck);
        script().then(IntStream.range(0, 9)
                .mapToObj(any -> ListenerScript.fail())
                .toArray(ListenerScript.Step[]::new));

        send("k1", "one", "m1");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) >= 1);
        assertThat(app().stopAndCountUnsettled()).isZero();
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isEqualTo(1);
        assertThat(script().calls()).hasSize(3);
        assertThat(app().ready("settled")).isEqualTo(1);
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);
    }

    static class Republishing {

        @Bean
        MessageRecoverer recoverer(RabbitTemplate template, @Value("${test.name}") String name) {
            return new RepublishMessageRecoverer(template, name, "settled");
        }
    }

    @Test
    void aMessageWithoutAnIdMayBeDeferredAndRejectedWithoutStoppingItsConsumer() {
        launch(AutoListeners.class, STATEFUL, REQUEUEING);
        Lease otherOwner = takeAsOtherOwner("k1");
        send("k1", "one");
        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 3);

        store().reject(otherOwner, "no such account");

        awaitUntil(() -> app().deadLetters().contains("one"));
        send("k2", "two");
        awaitUntil(() -> state("k2") == RecordState.COMPLETED);
    }

    @Test
    void aMessageWithoutAnIdThatFailsAgainStopsItsConsumerAsEverAndIsKept() {
        launch(AutoListeners.class, STATEFUL, REQUEUEING);
        script().then(ListenerScript.fail(), ListenerScript.fail());

        send("k1", "one");

        awaitUntil(() -> app().bean(RabbitListenerEndpointRegistry.class).getListenerContainers().stream()
                .anyMatch(container -> !container.isRunning()));
        assertThat(script().calls()).hasSize(2);
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);
        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);
    }
}
