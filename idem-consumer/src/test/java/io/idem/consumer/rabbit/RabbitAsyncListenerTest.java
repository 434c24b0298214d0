package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.AsyncScript;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.NoHold;
import io.idem.consumer.contract.Resettable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.messaging.handler.annotation.Header;
import reactor.core.publisher.Mono;

/** Listeners whose work ends after their return. */
class RabbitAsyncListenerTest extends SharedRabbitScenario {

    private static final String REQUEUE = "spring.rabbitmq.listener.simple.default-requeue-rejected=true";

    @Test
    void aMessageIsAcknowledgedAfterItsRecordAndDelaysNoOther() throws Exception {
        launch(AsyncListeners.class);
        CountDownLatch go = new CountDownLatch(1);
        script().then(call -> {
            assertThat(go.await(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return "done";
        });

        send("k1", "slow");
        awaitUntil(() -> script().calls().size() == 1);
        send("k2", "fast");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(state("k1")).isEqualTo(RecordState.PENDING);
        assertThat(state("k2")).isEqualTo(RecordState.COMPLETED);
        go.countDown();

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(log().withoutDeliveries().subList(5, 8))
                .containsExactly(EventLog.COMMIT, EventLog.COMPLETE, EventLog.ACKNOWLEDGE);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void aMessageInProgressIsADuplicateOnceTheOtherOwnerIsDone() {
        launch(AsyncListeners.class);
        var otherOwner = takeAsOtherOwner("k1");

        send("k1", "one");
        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 2);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
        assertThat(log().count(EventLog.REJECT)).isZero();
        store().complete(otherOwner, StoredResult.NONE);

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().calls()).isEmpty();
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void aFailedFutureGivesTheKeyBackBeforeTheMessageIsRejected() {
        launch(AsyncListeners.class, REQUEUE);
        script().then(ListenerScript.fail());

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1 && log().count(EventLog.REJECT) == 1);
        assertThat(log().withoutDeliveries()).startsWith(EventLog.WORK, EventLog.ROLLBACK);
        assertThat(log().withoutDeliveriesAndRejections())
                .containsExactly(
                        EventLog.WORK,
                        EventLog.ROLLBACK,
                        EventLog.WORK,
                        EventLog.COMMIT,
                        EventLog.COMPLETE,
                        EventLog.ACKNOWLEDGE);
        assertThat(events(ConsumerEvent.Deferred.class)).isEmpty();
        assertThat(script().calls().get(1).context().attempt()).isEqualTo(2);
    }

    @Test
    void aHopelessFutureIsDeadLetteredBeforeItsMessageIsAcknowledged() {
        launch(
                AsyncListeners.class,
                "idem.consumer.rabbit.dead-letter.exchange=",
                "idem.consumer.rabbit.dead-letter.routing-key=${test.name}.dead");
        script().then(call -> {
            throw new HopelessException("no such account");
        });

        send("k1", "one");

        Message letter = app().awaitMessage("dead");
        assertThat(letter.getMessageProperties().<String>getHeader(IdempotencyHeaders.REASON))
                .contains("no such account");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(log().count(EventLog.REJECT)).isZero();
        assertThat(state("k1")).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void anEffectThatCannotBeRecordedHoldsTheMessageButNoThread() {
        launch(AsyncListeners.class);
        store().deafToComplete(true);

        send("k1", "one");
        awaitUntil(() -> log().count(EventLog.COMMIT) == 1);
        send("k2", "two");
        awaitUntil(() -> log().count(EventLog.COMMIT) == 2);
        await().during(Duration.ofSeconds(1)).until(() -> log().count(EventLog.ACKNOWLEDGE) == 0);
        store().deafToComplete(false);

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(script().calls()).hasSize(2);
        assertThat(log().count(EventLog.COMPLETE)).isEqualTo(2);
    }

    @Test
    void anEffectThatStaysUnrecordedIsHandedBackAndNotAcknowledged() {
        launch(List.of(AsyncListeners.class, NoHold.class));
        store().deafToComplete(true);

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.HAND_BACK) >= 1);
        assertThat(script().calls()).hasSize(1);
        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
    }

    @Test
    void aMethodThatThrowsInsteadOfReturningItsFutureFailsLikeAnyOther() {
        launch(Throwing.class, NO_RETRY);
        script().then(ListenerScript.fail());

        send("k1", "one");

        awaitUntil(() -> app().deadLetters().equals(java.util.List.of("one")));
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void aMethodThatThrowsIsCalledAgainByTheContainersRetry() {
        launch(Throwing.class);
        script().then(ListenerScript.fail(), ListenerScript.fail());

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().calls()).hasSize(3);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(log().count(EventLog.REJECT)).isZero();
    }

    /** Its script runs before it returns. */
    static class Throwing {

        private final ListenerScript script;

        Throwing(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        CompletableFuture<Void> pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
            return CompletableFuture.completedFuture(null);
        }
    }

    @Test
    void aDuplicateRequestGetsTheStoredAnswerOfTheFuture() {
        launch(Answering.class, "idem.consumer.reply-headers=true");

        app().template().send(app().name(), PAYMENTS, request("first"));
        Message first = app().awaitMessage("settled");
        app().template().send(app().name(), PAYMENTS, request("second"));
        Message second = app().awaitMessage("settled");

        assertThat(script().calls()).hasSize(1);
        assertThat(second.getBody()).isEqualTo(first.getBody());
        assertThat(second.getMessageProperties().getCorrelationId()).isEqualTo("second");
        assertThat(ReplyKeys.of(first)).isNotEqualTo("k1").isEqualTo(ReplyKeys.of(second));
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    private Message request(String correlation) {
        return MessageBuilder.withBody("one".getBytes(StandardCharsets.UTF_8))
                .setContentType("text/plain")
                .setHeader(IdempotencyHeaders.KEY, "k1")
                .setReplyTo(app().name() + ".settled")
                .setCorrelationId(correlation)
                .build();
    }

    @Test
    void aMessageWhoseReplyCannotBeSentStaysAndIsADuplicateLater() {
        launch(Answering.class);

        app().send("nowhere to answer to", Map.of(IdempotencyHeaders.KEY, "k1"));
        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);
        app().bean(RabbitListenerEndpointRegistry.class).start();

        awaitUntil(() -> events(ConsumerEvent.Duplicate.class).size() == 1);
        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);
        assertThat(script().calls()).hasSize(1);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
    }

    /** Answers late. */
    static class Answering {

        private final AsyncScript script;

        Answering(AsyncScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        CompletableFuture<String> pay(String body, IdempotencyContext context) {
            return script.run(PAYMENTS, body, context).thenApply(result -> result + " under " + context.fence());
        }
    }

    @Test
    void aMonoRunsOnceFailsAndIsAnsweredLikeAFuture() {
        launch(Reactive.class, REQUEUE);
        script().then(ListenerScript.fail());

        send("k1", "one");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        send("k1", "again");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);

        assertThat(script().bodies(PAYMENTS)).containsExactly("one", "one");
        assertThat(log().count(EventLog.COMPLETE)).isEqualTo(1);
        assertThat(events(ConsumerEvent.Duplicate.class)).hasSize(1);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    /** Nothing happens before somebody subscribes. */
    static class Reactive {

        private final AsyncScript script;

        Reactive(AsyncScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        Mono<Void> pay(String body, IdempotencyContext context) {
            return Mono.fromFuture(() -> script.run(PAYMENTS, body, context)).then();
        }
    }

    @Test
    void anEarlyAcknowledgementIsHeldWhileTheWorkRuns() {
        launch(Settling.class);
        CountDownLatch go = new CountDownLatch(1);
        app().bean(Settling.class).inMethod((channel, tag) -> channel.basicAck(tag, false));
        script().then(call -> {
            assertThat(go.await(TIME_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return "done";
        });

        send("k1", "one");
        awaitUntil(() -> script().calls().size() == 1);
        await().during(Duration.ofSeconds(1)).until(() -> log().count(EventLog.ACKNOWLEDGE) == 0);
        go.countDown();

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(log().withoutDeliveries())
                .containsExactly(EventLog.WORK, EventLog.COMMIT, EventLog.COMPLETE, EventLog.ACKNOWLEDGE);
        assertChannelIsOpen();
    }

    @Test
    void whatTheWorkAcknowledgesIsNotSaidBeforeItIsRecorded() {
        launch(Settling.class);
        store().deafToComplete(true);
        app().bean(Settling.class).inWork((channel, tag) -> channel.basicAck(tag, false));

        send("k1", "one");
        awaitUntil(() -> log().count(EventLog.COMMIT) == 1);
        await().during(Duration.ofSeconds(1)).until(() -> log().count(EventLog.ACKNOWLEDGE) == 0);
        store().deafToComplete(false);

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(log().count(EventLog.COMPLETE)).isEqualTo(1);
        assertChannelIsOpen();
    }

    @Test
    void aMessageThatTheWorkHandsBackComesAgainAndDoesNotCountAsDone() {
        launch(Settling.class);
        app().bean(Settling.class).inWork((channel, tag) -> {
            if (script().calls().size() == 1) {
                channel.basicNack(tag, false, true);
            }
        });

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1 && log().count(EventLog.HAND_BACK) == 1);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one", "one");
        assertThat(script().calls().get(1).context().attempt()).isEqualTo(2);
        assertThat(log().count(EventLog.COMPLETE)).isEqualTo(1);
        assertChannelIsOpen();
    }

    /** To settle a message twice closes its channel, and those that it has are handed over once more. */
    private void assertChannelIsOpen() {
        long before = log().count(EventLog.ACKNOWLEDGE);
        send("another", "two");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == before + 1);
        assertThat(events(ConsumerEvent.Duplicate.class)).isEmpty();
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    /** Settles by itself, before its method returns or in its work. */
    static class Settling implements Resettable {

        /** What it says of its message. */
        @FunctionalInterface
        interface Saying {
            void say(Channel channel, long tag) throws Exception;
        }

        private final AsyncScript script;
        private volatile Saying inMethod = (channel, tag) -> {};
        private volatile Saying inWork = (channel, tag) -> {};

        Settling(AsyncScript script) {
            this.script = script;
        }

        @Override
        public void reset() {
            inMethod = (channel, tag) -> {};
            inWork = (channel, tag) -> {};
        }

        void inMethod(Saying what) {
            inMethod = what;
        }

        void inWork(Saying what) {
            inWork = what;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        CompletableFuture<Void> pay(
                String body, IdempotencyContext context, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag)
                throws Exception {
            CompletableFuture<String> work = script.run(PAYMENTS, body, context);
            inMethod.say(channel, tag);
            return work.thenAccept(result -> {
                try {
                    inWork.say(channel, tag);
                } catch (Exception failed) {
                    throw new IllegalStateException(failed);
                }
            });
        }
    }

    @Test
    void aRestBetweenAttemptsIsTheBrokersAndNoFailure() {
        launch(BackingOff.class, "idem.max-attempts=5");
        script().then(ListenerScript.fail());

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().calls()).hasSize(2);
        assertThat(log().count(EventLog.REJECT)).isZero();
        awaitUntil(() -> log().count(EventLog.HAND_BACK) > 0);
    }

    /** Lets idem own the retry. */
    static class BackingOff {

        private final AsyncScript script;

        BackingOff(AsyncScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, backoff = "50ms")
        CompletableFuture<Void> pay(String body, IdempotencyContext context) {
            return script.run(PAYMENTS, body, context).thenAccept(result -> {});
        }
    }

    @Test
    void theContextIsCurrentOnlyWhileTheMethodRuns() {
        launch(Looking.class);

        send("k1", "one");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        send("k2", "two");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);

        assertThat(log().all().stream().filter(event -> event.startsWith("in ")))
                .containsExactly(
                        "in method k1",
                        "in later stage none",
                        "in call k1",
                        "in method k2",
                        "in later stage none",
                        "in call k2");
    }

    /** Notes whose context is current. */
    static class Looking {

        private final EventLog log;

        Looking(EventLog log) {
            this.log = log;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        CompletableFuture<Void> pay(String body, IdempotencyContext context) {
            note("method");
            return CompletableFuture.runAsync(() -> note("later stage")).thenRun(() -> noteWith(context));
        }

        private void noteWith(IdempotencyContext context) {
            try {
                context.call(() -> {
                    note("call");
                    return null;
                });
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }

        private void note(String place) {
            log.note("in " + place + " "
                    + IdempotencyContext.current()
                            .map(current -> current.key().value())
                            .orElse("none"));
        }
    }
}
