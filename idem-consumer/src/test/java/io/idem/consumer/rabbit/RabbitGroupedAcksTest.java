package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.servers.junit.RequiresRabbitMq;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.context.annotation.Bean;

/** Listeners of single messages whose container settles several at a time. */
class RabbitGroupedAcksTest extends RabbitScenario {

    private static final long TEN_MINUTES = 600_000;

    /** Qpid does not offer messages again that one {@code basic.nack} gives back together. */
    @Test
    @RequiresRabbitMq
    void whatCameBeforeAFailureInAGroupComesAgainAndDoesNotRunAgain() {
        launch(GroupsOfThree.class);
        ListenerScript.Step waitForAll = call -> {
            awaitUntil(() -> log().count(EventLog.DELIVERY) == 3);
            return "first";
        };
        script().then(waitForAll, call -> "second", ListenerScript.fail());

        send("k1", "one");
        send("k2", "two");
        send("k3", "three");

        awaitUntil(() -> script().calls().size() == 4);
        awaitUntil(() -> events(ConsumerEvent.Duplicate.class).size() == 2);
        assertThat(script().bodies(PAYMENTS)).contains("one", "two", "three");
        assertThat(script().calls().get(3).body())
                .isEqualTo(script().calls().get(2).body());
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void whatWasDoneButNotAcknowledgedWhenTheConnectionBrokeDoesNotRunAgain() {
        launch(TenAtATime.class);
        send("k1", "one");
        send("k2", "two");
        awaitUntil(() -> state("k1") == RecordState.COMPLETED && state("k2") == RecordState.COMPLETED);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();

        app().bean(CachingConnectionFactory.class).resetConnection();

        awaitUntil(() -> events(ConsumerEvent.Duplicate.class).size() == 2);
        assertThat(script().bodies(PAYMENTS)).containsExactlyInAnyOrder("one", "two");
    }

    static class Listener {

        private final ListenerScript script;

        Listener(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments", containerFactory = "grouping")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }
    }

    /** A simple container that acknowledges every third message, and all before it with it. */
    static class GroupsOfThree extends Listener {

        GroupsOfThree(ListenerScript script) {
            super(script);
        }

        @Bean
        static SimpleRabbitListenerContainerFactory grouping(ConnectionFactory connectionFactory) {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            factory.setConnectionFactory(connectionFactory);
            factory.setBatchSize(3);
            factory.setPrefetchCount(10);
            factory.setReceiveTimeout(2_000L);
            return factory;
        }
    }

    /** A direct container that acknowledges every tenth message, and all before it with it. */
    static class TenAtATime extends Listener {

        TenAtATime(ListenerScript script) {
            super(script);
        }

        @Bean
        static DirectRabbitListenerContainerFactory grouping(ConnectionFactory connectionFactory) {
            DirectRabbitListenerContainerFactory factory = new DirectRabbitListenerContainerFactory();
            factory.setConnectionFactory(connectionFactory);
            factory.setMessagesPerAck(10);
            factory.setAckTimeout(TEN_MINUTES);
            factory.setMonitorInterval(200);
            return factory;
        }
    }
}
