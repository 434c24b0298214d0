package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Lease;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.suspending.FinalListener;
import io.idem.consumer.suspending.SuspendedWork;
import io.idem.consumer.suspending.SuspendingRabbitListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.context.annotation.Bean;

/** Kotlin functions that suspend. */
@Tag("extended")
class RabbitSuspendingListenerTest extends RabbitScenario {

    private static final String REQUEUE = "spring.rabbitmq.listener.simple.default-requeue-rejected=true";

    private void launch(String... settings) {
        launch(List.of(SuspendingRabbitListener.class, Work.class), settings);
    }

    @Test
    void aMessageIsAcknowledgedAfterItsCoroutineHasEndedAndWasRecorded() {
        launch();
        CountDownLatch go = new CountDownLatch(1);
        script().then(call -> {
            assertThat(go.await(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return "done";
        });

        request("first");
        awaitUntil(() -> script().calls().size() == 1);
        assertThat(state("k1")).isEqualTo(RecordState.PENDING);
        go.countDown();

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(log().withoutDeliveries()).containsExactly(EventLog.WORK, EventLog.COMPLETE, EventLog.ACKNOWLEDGE);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void aDuplicateGetsTheStoredAnswerAndStartsNoCoroutine() {
        launch("idem.consumer.reply-headers=true");

        request("first");
        Message first = app().awaitMessage("settled");
        request("second");
        Message second = app().awaitMessage("settled");

        assertThat(first.getBody()).asString().isEqualTo("done one");
        assertThat(second.getBody()).isEqualTo(first.getBody());
        assertThat(second.getMessageProperties().getCorrelationId()).isEqualTo("second");
        assertThat(ReplyKeys.of(first)).isNotEqualTo("k1").isEqualTo(ReplyKeys.of(second));
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(script().calls()).hasSize(1);
        assertThat(events(ConsumerEvent.Duplicate.class)).hasSize(1);
    }

    @Test
    void aCoroutineThatFailsGivesTheKeyBackBeforeItsMessageIsRejected() {
        launch(REQUEUE);
        script().then(ListenerScript.fail());

        request("first");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1 && log().count(EventLog.REJECT) == 1);
        assertThat(log().withoutDeliveriesAndRejections())
                .containsExactly(EventLog.WORK, EventLog.WORK, EventLog.COMPLETE, EventLog.ACKNOWLEDGE);
        assertThat(events(ConsumerEvent.Deferred.class)).isEmpty();
        assertThat(script().calls().get(1).context().attempt()).isEqualTo(2);
        assertThat(script().calls().get(1).context().takeover()).isFalse();
    }

    /** What {@code withTimeout} throws is one of these. */
    @Test
    void aCoroutineThatIsCancelledLeavesItsKeyToItsLease() {
        launch();
        script().then(call -> {
            throw new CancellationException("nobody waits any more");
        });

        request("first");

        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 2);
        assertThat(script().calls()).hasSize(1);
        assertThat(state("k1")).isEqualTo(RecordState.PENDING);
        assertThat(log().count(EventLog.REJECT)).isZero();
        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);
    }

    @Test
    void aMessageInProgressIsNeitherAcknowledgedNorLostAndStartsNoCoroutine() {
        launch();
        Lease otherOwner = takeAsOtherOwner("k1");

        request("first");
        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 2);
        assertThat(log().count(EventLog.ACKNOWLEDGE) + log().count(EventLog.REJECT))
                .isZero();
        assertThat(script().calls()).isEmpty();
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().calls()).hasSize(1);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    private void request(String correlation) {
        Message message = MessageBuilder.withBody("one".getBytes(StandardCharsets.UTF_8))
                .setContentType("text/plain")
                .setHeader(IdempotencyHeaders.KEY, "k1")
                .setReplyTo(app().name() + ".settled")
                .setCorrelationId(correlation)
                .build();
        app().template().send(app().name(), PAYMENTS, message);
    }

    /** Of every coroutine. */
    static class Work {

        @Bean
        SuspendedWork work(ListenerScript script) {
            return (body, context) -> script.run(PAYMENTS, body, context);
        }
    }

    @Test
    void aClassOfKotlinThatIsNotOpenIsRefusedAtStartUp() {
        assertThatThrownBy(() -> launch(FinalListener.class))
                .rootCause()
                .hasMessageContaining("FinalListener.pay")
                .hasMessageContaining("Make the class and its listener functions open");
    }
}
