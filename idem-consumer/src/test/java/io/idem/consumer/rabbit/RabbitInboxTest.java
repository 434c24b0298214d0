package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.MapInbox;
import io.idem.servers.junit.RequiresRabbitMq;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.AsyncRabbitTemplate;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Messages published inside an inbox transaction leave after its commit, and again if nobody knows that they left. */
@Tag("extended")
class RabbitInboxTest extends RabbitScenario {

    private ListenerScript.Step publish() {
        return call -> {
            app().template().convertAndSend(app().name(), "settled", "settled " + call.body());
            assertThat(app().receive("settled")).as("left before the commit").isNull();
            return "done";
        };
    }

    @Test
    void whatTheWorkPublishesLeavesAfterTheCommitAndBeforeTheRecordIsComplete() {
        launch(Listener.class);
        script().then(publish());

        send("k1", "one");

        Message message = app().awaitMessage("settled");
        assertThat(message.getBody()).asString().isEqualTo("settled one");
        assertThat(message.getMessageProperties().<Object>getHeader(IdempotencyHeaders.KEY))
                .isNotNull();
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(log().withoutDeliveries())
                .containsExactly(EventLog.WORK, EventLog.COMMIT, EventLog.COMPLETE, EventLog.ACKNOWLEDGE);
    }

    @Test
    void aRedeliveryOfCommittedWorkPublishesAgainAndDoesNotRun() {
        launch(Listener.class);
        script().then(publish());
        send("k1", "one");
        Message first = app().awaitMessage("settled");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);

        store().reopen(record("k1"), fence("k1"), Duration.ofHours(1));
        send("k1", "one");

        Message second = app().awaitMessage("settled");
        assertThat(second.getMessageProperties().<Object>getHeader(IdempotencyHeaders.KEY))
                .isEqualTo(first.getMessageProperties().getHeader(IdempotencyHeaders.KEY));
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(script().calls()).hasSize(1);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    @RequiresRabbitMq
    void workIsDoneAlthoughNobodyWantsItsEvent() {
        launch(Listener.class);
        script().then(call -> {
            app().template().convertAndSend(app().name(), NOWHERE, "event");
            return "done";
        });

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(log().withoutDeliveries())
                .containsExactly(EventLog.WORK, EventLog.COMMIT, EventLog.COMPLETE, EventLog.ACKNOWLEDGE);
        assertThat(events(ConsumerEvent.Unroutable.class))
                .containsExactly(new ConsumerEvent.Unroutable(new Scope(PAYMENTS), "rabbit", app().name(), NOWHERE));
    }

    @Test
    void aRequestIsAnsweredBeforeTheCommit() {
        launch(List.of(Listener.class, Requests.class));
        script().then(call -> {
            AsyncRabbitTemplate requests = app().bean(AsyncRabbitTemplate.class);
            return requests.<String>convertSendAndReceive("", app().name() + ".receipts", call.body())
                    .get(2, TimeUnit.MINUTES);
        });

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) >= 1 && state("k1") == RecordState.COMPLETED);
        assertThat(app().bean(Requests.class).answered()).containsExactly("one");
        assertThat(log().count(EventLog.COMMIT)).isEqualTo(1);
    }

    @Test
    void withIdemSwitchedOffTheInboxStillLetsAnEffectHappenOnlyOnce() {
        launch(Listener.class, "idem.enabled=false");

        send("k1", "one");
        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(script().calls()).hasSize(1);
        assertThat(log().count(EventLog.COMMIT)).isEqualTo(1);
        assertThat(state("k1")).as("nothing is recorded").isEqualTo(RecordState.ABSENT);
    }

    private long fence(String key) {
        return store().inspect(record(key)).orElseThrow().fence();
    }

    /** Works under an inbox that keeps its rows in memory. */
    @Import(Rows.class)
    static class Listener {

        private final ListenerScript script;

        Listener(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, inbox = true)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }
    }

    /** Requests of the work, and another service that answers them. */
    static class Requests {

        private final List<String> answered = new CopyOnWriteArrayList<>();

        List<String> answered() {
            return answered;
        }

        @RabbitListener(queues = "${test.name}.receipts")
        String answer(String request) {
            answered.add(request);
            return "answer to " + request;
        }

        @Bean
        static AsyncRabbitTemplate requests(
                RabbitTemplate template, ConnectionFactory connections, @Value("${test.name}") String name) {
            SimpleMessageListenerContainer replies = new SimpleMessageListenerContainer(connections);
            replies.setQueueNames(name + ".settled");
            return new AsyncRabbitTemplate(template, replies);
        }
    }

    /** An inbox whose commits and roll-backs are noted. */
    static class Rows {

        @Bean
        MapInbox inbox(EventLog log) {
            return MapInbox.observedBy(effect -> log.note(effect.isPresent() ? EventLog.COMMIT : EventLog.ROLLBACK));
        }
    }
}
