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
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.LateScript;
import io.idem.consumer.contract.ListenerScript;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
class RabbitLateListenerTest extends RabbitScenario {

    private static final String REQUEUE = "spring.rabbitmq.listener.simple.default-requeue-rejected=true";

    @Test
    void a_message_is_acknowledged_after_its_work_has_ended_and_was_recorded_and_holds_nobody_up() throws Exception {
        launch(LateListeners.class);
        CountDownLatch go = new CountDownLatch(1);
        script().then(call -> {
            assertThat(go.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
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
    void a_busy_message_is_neither_acknowledged_nor_lost_and_a_duplicate_once_the_other_owner_is_done() {
        launch(LateListeners.class);
        var elsewhere = takeElsewhere("k1");

        send("k1", "one");
        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 2);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
        assertThat(log().count(EventLog.REJECT)).isZero();
        store().complete(elsewhere, StoredResult.NONE);

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().calls()).isEmpty();
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void a_failed_future_gives_the_key_back_before_the_message_is_rejected() {
        launch(LateListeners.class, REQUEUE);
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
    void a_hopeless_future_rejects_the_key_and_its_dead_letter_is_confirmed_before_the_acknowledgement() {
        launch(
                LateListeners.class,
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
    void an_effect_that_cannot_be_recorded_holds_the_message_but_no_thread() {
        launch(LateListeners.class);
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
    void an_effect_that_stays_unrecorded_is_handed_back_and_not_acknowledged() {
        launch(LateListeners.class, "idem.consumer.hold=0s");
        store().deafToComplete(true);

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.HAND_BACK) >= 1);
        assertThat(script().calls()).hasSize(1);
        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
    }

    @Test
    void a_method_that_throws_instead_of_returning_its_future_fails_like_any_other() {
        launch(Throwing.class, NO_RETRY);
        script().then(ListenerScript.fail());

        send("k1", "one");

        awaitUntil(() -> app().deadLetters().equals(java.util.List.of("one")));
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void a_method_that_throws_is_called_again_by_the_containers_retry() {
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
    void a_duplicate_request_gets_the_stored_answer_of_the_future() {
        launch(Answering.class, "idem.consumer.rabbit.reply-headers=true");

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
    void work_whose_answer_cannot_be_sent_is_done_but_its_message_stays_and_is_a_duplicate_later() {
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

        private final LateScript script;

        Answering(LateScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        CompletableFuture<String> pay(String body, IdempotencyContext context) {
            return script.run(PAYMENTS, body, context).thenApply(result -> result + " under " + context.fence());
        }
    }

    @Test
    void a_mono_runs_once_fails_and_is_answered_like_a_future() {
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

        private final LateScript script;

        Reactive(LateScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        Mono<Void> pay(String body, IdempotencyContext context) {
            return Mono.fromFuture(() -> script.run(PAYMENTS, body, context)).then();
        }
    }

    @Test
    void what_the_listener_acknowledges_before_it_returns_is_not_said_while_its_work_is_running() {
        launch(Settling.class);
        CountDownLatch go = new CountDownLatch(1);
        app().bean(Settling.class).inMethod((channel, tag) -> channel.basicAck(tag, false));
        script().then(call -> {
            assertThat(go.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
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
    void what_the_work_acknowledges_is_not_said_before_it_is_recorded() {
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
    void a_message_that_the_work_hands_back_comes_again_and_does_not_count_as_done() {
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
    static class Settling {

        /** What it says of its message. */
        @FunctionalInterface
        interface Saying {
            void say(Channel channel, long tag) throws Exception;
        }

        private final LateScript script;
        private volatile Saying inMethod = (channel, tag) -> {};
        private volatile Saying inWork = (channel, tag) -> {};

        Settling(LateScript script) {
            this.script = script;
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
    void a_rest_between_attempts_is_the_brokers_and_no_failure() {
        launch(Resting.class, "idem.max-attempts=5");
        script().then(ListenerScript.fail());

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().calls()).hasSize(2);
        assertThat(log().count(EventLog.REJECT)).isZero();
        awaitUntil(() -> log().count(EventLog.HAND_BACK) > 0);
    }

    /** Lets idem own the retry. */
    static class Resting {

        private final LateScript script;

        Resting(LateScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, backoff = "50ms")
        CompletableFuture<Void> pay(String body, IdempotencyContext context) {
            return script.run(PAYMENTS, body, context).thenAccept(result -> {});
        }
    }

    @Test
    void the_context_is_current_while_the_method_runs_and_not_in_later_stages_nor_on_its_thread_afterwards() {
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
