package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.ObservedTransactions;
import io.idem.consumer.contract.StoppingBeans;
import io.idem.consumer.internal.delivery.ListenerStops;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

/** A delivery that idem cannot decide stops its container; its message stays with the broker. */
class RabbitStopTest extends RabbitScenario {

    private static final String ID = "payments";

    static class Payments {

        private final ListenerScript script;

        Payments(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(id = ID, queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body) throws Exception {
            script.run(PAYMENTS, body, IdempotencyContext.current().orElseThrow());
        }
    }

    private MessageListenerContainer container() {
        return Objects.requireNonNull(
                app().bean(RabbitListenerEndpointRegistry.class).getListenerContainer(ID));
    }

    private void assertStoppedBecause(String... words) {
        awaitUntil(() -> !container().isRunning());
        assertThat(app().bean(ListenerStops.class).reasons())
                .singleElement()
                .asString()
                .contains(words);
        assertThat(app().bean("idemListenersHealthIndicator", HealthIndicator.class)
                        .health())
                .extracting(Health::getStatus)
                .isEqualTo(Status.DOWN);
        ApplicationAvailability availability = app().bean(ApplicationAvailability.class);
        assertThat(availability.getReadinessState()).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
        assertThat(availability.getLivenessState()).isEqualTo(LivenessState.CORRECT);
    }

    /** An aspect of the application around the listener, outside of idem. */
    private static Advisor outside(MethodInterceptor aspect) {
        NameMatchMethodPointcut pay = new NameMatchMethodPointcut();
        pay.setMappedName("pay");
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pay, aspect);
        advisor.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return advisor;
    }

    static class Swallowing {

        static final String CALLS = "swallowedCalls";

        @Bean(CALLS)
        static AtomicInteger calls() {
            return new AtomicInteger();
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor swallowing(@Qualifier(CALLS) AtomicInteger calls) {
            return outside(call -> {
                calls.incrementAndGet();
                return null;
            });
        }
    }

    private int swallowedCalls() {
        return app().bean(Swallowing.CALLS, AtomicInteger.class).get();
    }

    @Test
    void aClosingContextAwaitsItsContainers() {
        launch(List.of(Payments.class, StoppingBeans.class));

        assertThat(app().bean(StoppingBeans.class).ofIdemThatDependOnOthers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"test.container=simple", "spring.rabbitmq.listener.type=direct", MANUAL})
    void anAspectThatDoesNotCallTheListenerStopsItAndKeepsEveryMessage(String container) {
        launch(List.of(Payments.class, Swallowing.class), container);

        for (int i = 0; i < 20; i++) {
            send("k" + i, "one");
        }

        assertStoppedBecause("Payments.pay was not called", "Order it inside idem");
        awaitUntil(() -> app().ready(PAYMENTS) == 20);
        assertThat(app().deadLetters()).isEmpty();
        assertThat(swallowedCalls()).isEqualTo(1);
    }

    @Test
    void aStoppedContainerThatIsStartedAgainDeliversAgain() {
        launch(List.of(Payments.class, Swallowing.class));
        send("k1", "one");
        assertStoppedBecause("Payments.pay");

        // A container is not running while it shuts down. One that is told to start before its consumers are gone runs
        // without any.
        awaitUntil(() -> new DirectFieldAccessor(container()).getPropertyValue("consumers") == null);
        container().start();

        awaitUntil(() -> swallowedCalls() == 2);
        assertStoppedBecause("Payments.pay");
    }

    static class FailingObserver {

        @EventListener
        void on(AvailabilityChangeEvent<ReadinessState> change) {
            if (change.getState() == ReadinessState.REFUSING_TRAFFIC) {
                throw new IllegalStateException("The test cannot take this event");
            }
        }
    }

    @Test
    void anObserverOfReadinessThatThrowsKeepsNoContainerFromBeingStopped() {
        launch(List.of(Payments.class, Swallowing.class, FailingObserver.class));

        send("k1", "one");
        send("k2", "two");

        awaitUntil(() -> !container().isRunning());
        awaitUntil(() -> app().ready(PAYMENTS) == 2);
        assertThat(app().deadLetters()).isEmpty();
    }

    static class Unboxing {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor unboxing() {
            return outside(call -> Objects.requireNonNull(call.proceed(), "a listener of ours always answers"));
        }
    }

    static class Answering {

        @RabbitListener(id = ID, queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        String pay(String body) {
            return body;
        }
    }

    @Test
    void anAspectThatThrowsAfterADeferralMakesNoFailureOfIt() {
        launch(List.of(Answering.class, Unboxing.class));
        takeAsOtherOwner("k1");

        send("k1", "one");

        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 2);
        assertThat(app().deadLetters()).isEmpty();
    }

    @Import(Payments.class)
    static class OuterTransaction {

        /** Not a TransactionInterceptor, so nobody can see at start-up what it does. */
        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(
                ConnectionFactory connections, ObservedTransactions transactions) {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            factory.setConnectionFactory(connections);
            factory.setDefaultRequeueRejected(false);
            factory.setAdviceChain(new InTransaction(transactions));
            return factory;
        }
    }

    private record InTransaction(ObservedTransactions transactions) implements MethodInterceptor {

        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            TransactionStatus transaction = transactions.getTransaction(TransactionDefinition.withDefaults());
            Object value = call.proceed();
            transactions.commit(transaction);
            return value;
        }
    }

    @Test
    void aTransactionAroundTheWorkStopsTheContainerAndIsNoFailure() {
        launch(OuterTransaction.class);

        send("k1", "one");

        assertStoppedBecause("Payments.pay", "is called inside a transaction", "Put @Transactional on the method");
        awaitUntil(() -> app().ready(PAYMENTS) == 1);
        assertThat(app().deadLetters()).isEmpty();
        assertThat(script().calls()).isEmpty();
        assertThat(state("k1")).isEqualTo(RecordState.ABSENT);
    }

    static class Receipts {

        @RabbitListener(queues = "${test.name}.receipts")
        @IdempotentListener(scope = "receipts")
        void receipt(String body) {}
    }

    static class Delegating {

        private final Receipts receipts;

        Delegating(Receipts receipts) {
            this.receipts = receipts;
        }

        @RabbitListener(id = ID, queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body) {
            try {
                CompletableFuture.runAsync(() -> receipts.receipt(body)).join();
            } catch (CompletionException failed) {
                throw new IllegalStateException("No receipt", failed);
            }
        }
    }

    static class DelegatingAsync {

        private final Receipts receipts;

        DelegatingAsync(Receipts receipts) {
            this.receipts = receipts;
        }

        @RabbitListener(id = ID, queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        CompletableFuture<Void> pay(String body) {
            return CompletableFuture.runAsync(() -> receipts.receipt(body));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Delegating.class, DelegatingAsync.class})
    void aRefusalFromAnotherThreadsWorkStopsTheContainerAndIsNoFailure(Class<?> listener) {
        launch(List.of(listener, Receipts.class));

        send("k1", "one");

        assertStoppedBecause("Receipts.receipt", "outside a delivery of a supported listener container");
        awaitUntil(() -> app().ready(PAYMENTS) == 1);
        assertThat(app().deadLetters()).isEmpty();
    }

    static class Consulting {

        private final ListenerScript script;

        Consulting(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(id = ID, queues = "${test.name}.payments", errorHandler = "takingOver")
        @IdempotentListener(scope = PAYMENTS)
        void pay(Integer amount) throws Exception {
            script.run(
                    PAYMENTS,
                    String.valueOf(amount),
                    IdempotencyContext.current().orElseThrow());
        }

        @Bean
        static RabbitListenerErrorHandler takingOver() {
            return (amqp, channel, message, failure) -> null;
        }
    }

    @Test
    void anErrorHandlerMayTakeOverAMessageThatCannotBeConverted() {
        launch(Consulting.class, NO_RETRY);

        send("k1", "not a number");
        app().template().convertAndSend(app().name(), PAYMENTS, 5, message -> keyed(message, "k2"));

        awaitUntil(() -> state("k2") == RecordState.COMPLETED);
        assertThat(app().stopAndCountUnsettled()).isZero();
        assertThat(app().bean(ListenerStops.class).reasons()).isEmpty();
    }

    private static Message keyed(Message message, String key) {
        return RabbitApplication.withHeaders(message, Map.of(IdempotencyHeaders.KEY, key));
    }

    static class OwnContainer {

        @Bean
        Payments payments(ListenerScript script) {
            return new Payments(script);
        }

        /** Rejects what fails: whatever reached it would be a dead letter. */
        @Bean
        SimpleMessageListenerContainer own(ConnectionFactory connections, Payments payments, Environment environment) {
            SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connections);
            container.setQueueNames(environment.getRequiredProperty("test.name") + ".receipts");
            container.setDefaultRequeueRejected(false);
            container.setShutdownTimeout(100);
            container.setMessageListener(message -> {
                try {
                    payments.pay(new String(message.getBody(), StandardCharsets.UTF_8));
                } catch (Exception failed) {
                    throw new IllegalStateException(failed);
                }
            });
            return container;
        }
    }

    @Test
    void aContainerWithoutAHookHasItsThreadHeldUntilTheApplicationStops() {
        launch(OwnContainer.class);
        app().bind("receipts", NOWHERE);

        app().template().convertAndSend(app().name(), NOWHERE, "one", message -> keyed(message, "k1"));

        awaitUntil(() -> !app().bean(ListenerStops.class).reasons().isEmpty());
        assertThat(app().bean(ListenerStops.class).reasons())
                .singleElement()
                .asString()
                .contains("Payments.pay", "outside a delivery of a supported listener container");
        app().bean(SimpleMessageListenerContainer.class).stop();

        awaitUntil(() -> app().ready("receipts") == 1);
        assertThat(app().deadLetters()).isEmpty();
        assertThat(script().calls()).isEmpty();
    }
}
