package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.contract.ConsumerApplication;
import io.idem.consumer.contract.EventLog;
import io.idem.operations.OperatorAct;
import io.idem.operations.RecordOperator;
import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageDeliveryMode;

/** Dead letters that idem publishes itself. */
class RabbitDeadLetterTest extends SharedRabbitScenario {

    private static final String TO_OWN_EXCHANGE = "idem.consumer.rabbit.dead-letter.exchange=${test.name}";
    private static final String TO_NOWHERE = "idem.consumer.rabbit.dead-letter.routing-key=" + NOWHERE;
    private static final Duration TIME_TO_LIVE = Duration.ofSeconds(2);

    @Test
    void aDeadLetterIsConfirmedBeforeTheMessageIsAcknowledgedAndSaysWhy() {
        launch(AutoListeners.class, TO_OWN_EXCHANGE, "idem.consumer.rabbit.dead-letter.routing-key=settled");
        script().then(call -> {
            throw new HopelessException("no such account");
        });

        send("k1", "one");

        Message letter = app().awaitMessage("settled");
        assertThat(letter.getBody()).asString().isEqualTo("one");
        Map<String, Object> headers = letter.getMessageProperties().getHeaders();
        assertThat(headers)
                .containsEntry(IdempotencyHeaders.KEY, "k1")
                .containsEntry(IdempotencyHeaders.ORIGIN, app().name() + ".payments")
                .containsEntry(IdempotencyHeaders.SCOPE, ConsumerApplication.PAYMENTS)
                .containsEntry(IdempotencyHeaders.ATTEMPTS, 1);
        assertThat(headers.get(IdempotencyHeaders.REASON)).asString().contains("no such account");
        assertThat(letter.getMessageProperties().getReceivedDeliveryMode()).isEqualTo(MessageDeliveryMode.PERSISTENT);
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(app().deadLetters()).isEmpty();
        assertThat(state("k1")).isEqualTo(RecordState.REJECTED);
    }

    @Test
    @Tag("extended")
    void aDeadLetterDoesNotExpireWithItsMessage() {
        launch(AutoListeners.class, TO_OWN_EXCHANGE, "idem.consumer.rabbit.dead-letter.routing-key=settled");
        store().reject(takeAsOtherOwner("k1"), "no such account");

        app().template().convertAndSend(app().name(), PAYMENTS, "one", message -> {
            message.getMessageProperties().setExpiration(expiration());
            return RabbitApplication.withHeaders(message, Map.of(IdempotencyHeaders.KEY, "k1"));
        });

        awaitUntil(() -> app().ready("settled") == 1);
        await().during(TIME_TO_LIVE.plusSeconds(1)).atMost(TIME_LIMIT).until(() -> app().ready("settled") == 1);
        assertThat(app().awaitMessage("settled").getMessageProperties().getExpiration())
                .isNull();
    }

    /** Qpid takes it for a moment. */
    private static String expiration() {
        boolean qpid = SharedServers.amqp().flavour() == RunningAmqp.Flavour.QPID;
        return String.valueOf((qpid ? System.currentTimeMillis() : 0) + TIME_TO_LIVE.toMillis());
    }

    @Test
    void aMessageWhoseDeadLetterNobodyTakesStaysWithTheBroker() {
        launch(AutoListeners.class, TO_OWN_EXCHANGE, TO_NOWHERE);
        store().reject(takeAsOtherOwner("k1"), "no such account");

        send("k1", "one");

        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 2);
        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
    }

    /** Broker and listener would spin otherwise: both answer at once. */
    @ParameterizedTest
    @ValueSource(classes = {AutoListeners.class, ManualListeners.class, AsyncListeners.class})
    void aDeadLetterThatNobodyTakesIsPublishedAgainInPlaceUntilSomebodyDoes(Class<?> listeners) {
        launch(
                listeners,
                TO_OWN_EXCHANGE,
                TO_NOWHERE,
                "idem.consumer.in-place-wait=5m",
                "spring.rabbitmq.listener.simple.acknowledge-mode="
                        + (listeners == ManualListeners.class ? "manual" : "auto"));
        store().reject(takeAsOtherOwner("k1"), "no such account");
        send("k1", "one");
        awaitUntil(() -> log().count(EventLog.DELIVERY) == 1);
        await().during(Duration.ofSeconds(1))
                .atMost(TIME_LIMIT)
                .until(() -> log().count(EventLog.DELIVERY) == 1 && log().count(EventLog.HAND_BACK) == 0);

        app().bind("settled", NOWHERE);

        assertThat(app().awaitMessage("settled").getBody()).asString().isEqualTo("one");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(log().count(EventLog.DELIVERY)).isEqualTo(1);
        assertThat(events(ConsumerEvent.Deferred.class)).isEmpty();
    }

    @Test
    void aStoppingContainerHandsItsMessageBackWithoutAnotherDeadLetter() {
        launch(AutoListeners.class, TO_OWN_EXCHANGE, TO_NOWHERE, "idem.consumer.in-place-wait=5m");
        store().reject(takeAsOtherOwner("k1"), "no such account");
        send("k1", "one");
        awaitUntil(() -> log().count(EventLog.DELIVERY) == 1);

        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);

        assertThat(log().count(EventLog.HAND_BACK)).isEqualTo(1);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
    }

    /** The thread on which late work ends is not idem's to block: the delivering thread of the next delivery waits. */
    @Test
    void aLateEndWhoseDeadLetterNobodyTakesIsHandedBackAndWaitsWhenItComesAgain() {
        launch(AsyncListeners.class, TO_OWN_EXCHANGE, TO_NOWHERE, "idem.consumer.in-place-wait=5m");
        script().then(call -> {
            throw new HopelessException("no such account");
        });

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.DELIVERY) == 2);
        await().during(Duration.ofSeconds(1))
                .atMost(TIME_LIMIT)
                .until(() -> log().count(EventLog.DELIVERY) == 2 && log().count(EventLog.HAND_BACK) == 1);
        assertThat(script().calls()).hasSize(1);
        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);
    }

    /** What an operator does: remove the cause, reopen the record, move the dead letter back. */
    @Test
    void aDeadLetterThatIsMovedBackRunsOnceItsRecordIsReopened() {
        launch(AutoListeners.class, TO_OWN_EXCHANGE, "idem.consumer.rabbit.dead-letter.routing-key=settled");
        script().then(call -> {
            throw new HopelessException("no such account");
        });
        send("k1", "one");
        moveBack(app().awaitMessage("settled"));
        Message again = app().awaitMessage("settled");
        assertThat(reason(again))
                .isEqualTo("its record is rejected: " + HopelessException.class.getName() + ": no such account");
        assertThat(script().calls()).hasSize(1);

        RecordId rejected = new RecordId(IdempotencyKey.of("k1"), new Scope(PAYMENTS));
        assertThat(app().bean(RecordOperator.class)
                        .act(OperatorAct.Action.REOPEN, rejected, "anna", "ticket 7")
                        .done())
                .isTrue();
        moveBack(again);
        moveBack(again);

        awaitUntil(() -> !events(ConsumerEvent.Duplicate.class).isEmpty());
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one", "one");
        assertThat(app().receive("settled")).isNull();
    }

    private void moveBack(Message letter) {
        app().template().send(app().name(), PAYMENTS, letter);
    }

    private static String reason(Message letter) {
        return String.valueOf(letter.getMessageProperties().getHeaders().get(IdempotencyHeaders.REASON));
    }
}
