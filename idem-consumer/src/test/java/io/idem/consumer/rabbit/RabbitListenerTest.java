package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.AsyncConsumerRestartedEvent;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;
import org.springframework.amqp.rabbit.retry.RepublishMessageRecoverer;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.messaging.handler.annotation.Header;

/** What is particular to RabbitMQ's containers. */
class RabbitListenerTest extends RabbitScenario {

    @Test
    void retriesInsideTheContainerAreOneDeliveryAndEachOfThemAcquires() {
        launch(AutoListeners.class);
        script().then(ListenerScript.fail(), ListenerScript.fail());

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(log().count(EventLog.DELIVERY)).isEqualTo(1);
        assertThat(script().calls())
                .extracting(call -> call.context().attempt())
                .containsExactly(1, 2, 3);
        assertThat(log().count(EventLog.COMPLETE)).isEqualTo(1);
    }

    @Test
    void aDeferralDoesNotRestartTheConsumer() {
        launch(WithRestarts.class);
        takeAsOtherOwner("k1");

        send("k1", "one");
        send("k2", "two");

        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 2);
        awaitUntil(() -> state("k2") == RecordState.COMPLETED);
        assertThat(app().bean(WithRestarts.class).restarts).isEmpty();
    }

    @Import(AutoListeners.class)
    static class WithRestarts {

        final List<AsyncConsumerRestartedEvent> restarts = new CopyOnWriteArrayList<>();

        @EventListener
        void on(AsyncConsumerRestartedEvent restart) {
            restarts.add(restart);
        }
    }

    @Test
    void aRecovererThatTakesAFailedMessageOverDoesNotCompleteItAndKeepsItsKey() {
        launch(Republishing.class);
        script().then(ListenerScript.fail(), ListenerScript.fail(), ListenerScript.fail());

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);
        Message republished = app().awaitMessage("settled");
        assertThat(republished.getMessageProperties().<Object>getHeader(IdempotencyHeaders.KEY))
                .isEqualTo("k1");
    }

    @Import(AutoListeners.class)
    static class Republishing {

        @Bean
        MessageRecoverer recoverer(RabbitTemplate template, Environment environment) {
            return new RepublishMessageRecoverer(template, environment.getRequiredProperty("test.name"), "settled");
        }
    }

    @Test
    void anAcknowledgementGivenBeforeAFailureIsTakenBackAndTheMessageComesAgain() {
        launch(ManualListeners.class, MANUAL, NO_RETRY);
        script().then(ListenerScript.fail());

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(log().withoutDeliveries())
                .containsExactly(
                        EventLog.WORK,
                        EventLog.ROLLBACK,
                        EventLog.REJECT,
                        EventLog.WORK,
                        EventLog.COMMIT,
                        EventLog.COMPLETE,
                        EventLog.ACKNOWLEDGE);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    void aMessageThatItsListenerHandsBackDoesNotCountAsDone() {
        launch(Nacking.class, MANUAL, NO_RETRY);

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one", "one");
        assertThat(log().withoutDeliveries())
                .containsExactly(
                        EventLog.WORK, EventLog.HAND_BACK, EventLog.WORK, EventLog.COMPLETE, EventLog.ACKNOWLEDGE);
    }

    /** Hands every message back the first time, and acknowledges it the second. */
    static class Nacking {

        private final ListenerScript script;

        Nacking(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body, IdempotencyContext context, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag)
                throws Exception {
            script.run(PAYMENTS, body, context);
            if (context.attempt() == 1) {
                channel.basicNack(tag, false, true);
            } else {
                channel.basicAck(tag, false);
            }
        }
    }

    @Test
    void aClassMayMixIdempotentHandlersWithOthers() {
        launch(Mixed.class);

        for (int i = 0; i < 2; i++) {
            send("k1", "text");
            app().template()
                    .convertAndSend(
                            app().name(),
                            PAYMENTS,
                            new byte[] {1},
                            message -> RabbitApplication.withHeaders(message, Map.of(IdempotencyHeaders.KEY, "k1")));
        }

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 4);
        assertThat(script().bodies(PAYMENTS)).containsExactly("text");
        assertThat(app().bean(Mixed.class).unguarded()).hasValue(2);
    }

    @Test
    void aFailureOfAnotherHandlerIsTheContainersBusiness() {
        launch(Failing.class);

        app().template().convertAndSend(app().name(), PAYMENTS, new byte[] {'b'});
        send("k1", "text");

        awaitUntil(() -> app().deadLetters().equals(List.of("b")));
        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(app().bean(Failing.class).tries()).hasValue(3);
    }

    @RabbitListener(queues = "${test.name}.payments")
    static class Failing {

        private final AtomicInteger tries = new AtomicInteger();
        private final ListenerScript script;

        Failing(ListenerScript script) {
            this.script = script;
        }

        @RabbitHandler
        @IdempotentListener(scope = PAYMENTS)
        void text(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }

        @RabbitHandler
        void bytes(byte[] body) {
            tries.incrementAndGet();
            throw new IllegalStateException("no use");
        }

        AtomicInteger tries() {
            return tries;
        }
    }

    @RabbitListener(queues = "${test.name}.payments")
    static class Mixed {

        private final AtomicInteger unguarded = new AtomicInteger();
        private final ListenerScript script;

        Mixed(ListenerScript script) {
            this.script = script;
        }

        @RabbitHandler
        @IdempotentListener(scope = PAYMENTS)
        void text(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }

        @RabbitHandler
        void bytes(byte[] body) {
            unguarded.incrementAndGet();
        }

        AtomicInteger unguarded() {
            return unguarded;
        }
    }

    @Test
    void aFactoryOfTheApplicationsOwnWorksWithItsOwnAdvicesAndKeepsThem() {
        launch(OwnFactory.class);
        takeAsOtherOwner("k2");

        send("k1", "one");
        send("k1", "one");
        send("k2", "two");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        awaitUntil(() -> !events(ConsumerEvent.Deferred.class).isEmpty());
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        OwnFactory application = app().bean(OwnFactory.class);
        assertThat(application.advised).hasPositiveValue();
        assertThat(app().bean("own", SimpleRabbitListenerContainerFactory.class).getAdviceChain())
                .containsExactly(application);
    }

    /** An advice that counts, and a factory that has it. */
    @Import(OwnFactory.Listener.class)
    static class OwnFactory implements MethodInterceptor {

        final AtomicInteger advised = new AtomicInteger();

        @Override
        public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
            advised.incrementAndGet();
            return invocation.proceed();
        }

        static class Listener {

            private final ListenerScript script;

            Listener(ListenerScript script) {
                this.script = script;
            }

            @RabbitListener(queues = "${test.name}.payments", containerFactory = "own")
            @IdempotentListener(scope = PAYMENTS)
            void pay(String body, IdempotencyContext context) throws Exception {
                script.run(PAYMENTS, body, context);
            }
        }

        @Bean
        SimpleRabbitListenerContainerFactory own(ConnectionFactory connectionFactory) {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            factory.setConnectionFactory(connectionFactory);
            factory.setAdviceChain(this);
            return factory;
        }
    }
}
