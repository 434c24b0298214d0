package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.AsyncScript;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.MovableClock;
import io.idem.consumer.contract.StageEnd;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import reactor.core.publisher.Mono;

/** Stages that end by a timeout or a cancellation while their work goes on. */
@Tag("extended")
class RabbitOpenStageTest extends RabbitScenario {

    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void letWorkEnd() {
        go.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void workThatOutlastsItsStageIsTakenOverOnceItsLeaseHasEnded(StageEnd end) {
        launch(EndingEarly.class);
        app().bean(EndingEarly.class).ends(end);

        assertRunsOnceWhileTheLeaseLasts();
        letTheLeaseLapse();

        assertIsTakenOver();
    }

    @Test
    void workWhoseMonoTimesOutIsTakenOverOnceItsLeaseHasEnded() {
        launch(EndingMono.class);

        assertRunsOnceWhileTheLeaseLasts();
        letTheLeaseLapse();

        assertIsTakenOver();
    }

    @Test
    void workWhoseStageTimedOutIsRejectedAfterItsLeaseIfTakeoversAre() {
        launch(EndingEarly.class, "idem.takeover=reject");

        assertRunsOnceWhileTheLeaseLasts();
        letTheLeaseLapse();

        awaitUntil(() -> app().deadLetters().equals(List.of("one")));
        assertThat(script().calls()).hasSize(1);
        assertThat(state("k1")).isEqualTo(RecordState.REJECTED);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    private void assertRunsOnceWhileTheLeaseLasts() {
        script().then(call -> {
            assertThat(go.await(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return "done";
        });
        send("k1", "one");
        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 3);
        assertThat(script().calls()).hasSize(1);
        assertThat(state("k1")).isEqualTo(RecordState.PENDING);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
        assertThat(log().count(EventLog.REJECT)).isZero();
    }

    private void letTheLeaseLapse() {
        app().bean(MovableClock.class).moveAhead(Duration.ofMinutes(10));
    }

    private void assertIsTakenOver() {
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().calls()).hasSize(2);
        assertThat(script().calls().get(1).context().takeover()).isTrue();
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(log().count(EventLog.REJECT)).isZero();
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    /** Whatever its policy says of failures, a first attempt ends before its work. */
    static class EndingEarly {

        private final AsyncScript script;
        private volatile StageEnd end = StageEnd.TIMEOUT;

        EndingEarly(AsyncScript script) {
            this.script = script;
        }

        void ends(StageEnd by) {
            end = by;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, rejectOn = Exception.class)
        CompletableFuture<Void> pay(String body, IdempotencyContext context) {
            CompletableFuture<String> work = script.run(PAYMENTS, body, context);
            return context.takeover() ? work.thenAccept(result -> {}) : end.of(work);
        }
    }

    /** The same for a Mono. */
    static class EndingMono {

        private final AsyncScript script;

        EndingMono(AsyncScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        Mono<Void> pay(String body, IdempotencyContext context) {
            Mono<Void> work =
                    Mono.fromFuture(() -> script.run(PAYMENTS, body, context)).then();
            return context.takeover() ? work : work.timeout(Duration.ofMillis(50));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {AutoListeners.class, RabbitAsyncListenerTest.Throwing.class})
    void aMethodThatThrowsATimeoutHasFailedAndGivesItsKeyBack(Class<?> listener) {
        launch(listener, NO_RETRY);
        script().then(call -> {
            throw new TimeoutException("the bank does not answer");
        });

        send("k1", "one");

        awaitUntil(() -> app().deadLetters().equals(List.of("one")));
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }
}
