package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.MovableClock;
import io.idem.consumer.contract.ObservedTransactions;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.amqp.listener.ConditionalRejectingErrorHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpoint;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.transaction.interceptor.DefaultTransactionAttribute;
import org.springframework.util.ErrorHandler;

/** Containers that an application makes and equips in ways of its own: what is in progress elsewhere waits in all of them. */
@Tag("extended")
class RabbitOwnFactoriesTest extends RabbitScenario {

    static class Payments {

        private final ListenerScript script;

        Payments(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(id = "payments", queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        public void pay(String body) throws Exception {
            script.run(PAYMENTS, body, IdempotencyContext.current().orElseThrow());
        }
    }

    private static SimpleRabbitListenerContainerFactory factory(ConnectionFactory connections) {
        SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
        factory.setConnectionFactory(connections);
        factory.setDefaultRequeueRejected(false);
        return factory;
    }

    private static Advice[] swallowing() {
        return new Advice[] {
            (MethodInterceptor) call -> {
                try {
                    return call.proceed();
                } catch (Exception failure) {
                    return null;
                }
            }
        };
    }

    @Import(Payments.class)
    static class RejectingErrorHandler {

        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(ConnectionFactory connections) {
            SimpleRabbitListenerContainerFactory factory = factory(connections);
            factory.setErrorHandler(failure -> {
                throw new AmqpRejectAndDontRequeueException("never again", failure);
            });
            return factory;
        }
    }

    @Import(Payments.class)
    static class AcknowledgingErrorHandler {

        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(ConnectionFactory connections) {
            SimpleRabbitListenerContainerFactory factory = factory(connections);
            factory.setErrorHandler(failure -> {
                throw new ImmediateAcknowledgeAmqpException("seen", failure);
            });
            return factory;
        }
    }

    @Import(Payments.class)
    static class FatalStrategy {

        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(ConnectionFactory connections) {
            SimpleRabbitListenerContainerFactory factory = factory(connections);
            factory.setErrorHandler(new ConditionalRejectingErrorHandler(failure -> true));
            return factory;
        }
    }

    @Import(Payments.class)
    static class ErrorHandlerSetAfterStart {

        @Bean
        ApplicationRunner setLater(RabbitListenerEndpointRegistry registry) {
            ErrorHandler acknowledging = failure -> {
                throw new ImmediateAcknowledgeAmqpException("seen", failure);
            };
            return arguments -> ((AbstractMessageListenerContainer)
                            Objects.requireNonNull(registry.getListenerContainer("payments")))
                    .setErrorHandler(acknowledging);
        }
    }

    @Import(Payments.class)
    static class CustomizedChain {

        @Bean
        ContainerCustomizer<SimpleMessageListenerContainer> chain() {
            return container -> container.setAdviceChain(swallowing());
        }

        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(
                ConnectionFactory connections, ContainerCustomizer<SimpleMessageListenerContainer> chain) {
            SimpleRabbitListenerContainerFactory factory = factory(connections);
            factory.setContainerCustomizer(chain);
            return factory;
        }
    }

    @Import(Payments.class)
    static class ChainOfASubclass {

        @Bean
        SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(ConnectionFactory connections) {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory() {
                @Override
                protected void initializeContainer(
                        SimpleMessageListenerContainer instance, @Nullable RabbitListenerEndpoint endpoint) {
                    super.initializeContainer(instance, endpoint);
                    instance.setAdviceChain(swallowing());
                }
            };
            factory.setConnectionFactory(connections);
            return factory;
        }
    }

    @Import(Payments.class)
    static class FactoryThatIsNoBean {

        @Bean
        RabbitListenerConfigurer ownFactory(ConnectionFactory connections) {
            return registrar -> registrar.setContainerFactory(factory(connections));
        }
    }

    @Import(Payments.class)
    static class CommitsForFailures {

        @Bean
        static RabbitTransactionTest.Unconfirmed unconfirmed(ObjectProvider<CachingConnectionFactory> confirmed) {
            return new RabbitTransactionTest.Unconfirmed(confirmed);
        }

        @Bean
        static BeanPostProcessor transactions(
                ObjectProvider<ObservedTransactions> transactions,
                ObjectProvider<RabbitTransactionTest.Unconfirmed> connections) {
            return RabbitTransactionTest.configured(factory -> {
                factory.setTransactionManager(transactions.getObject());
                factory.setConnectionFactory(connections.getObject().connections());
                factory.setContainerCustomizer(container -> container.setTransactionAttribute(new CommitsAlways()));
            });
        }
    }

    private static final class CommitsAlways extends DefaultTransactionAttribute {

        private static final long serialVersionUID = 1;

        @Override
        public boolean rollbackOn(Throwable failure) {
            return false;
        }
    }

    static class ContainerBean {

        @Bean
        Payments payments(ListenerScript script) {
            return new Payments(script);
        }

        @Bean
        SimpleMessageListenerContainer own(ConnectionFactory connections, Payments payments, Environment environment) {
            SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connections);
            container.setQueueNames(environment.getRequiredProperty("test.name") + ".payments");
            container.setDefaultRequeueRejected(false);
            container.setMessageListener(new MessageListenerAdapter(payments, "pay"));
            return container;
        }

        /** Leaves the queue to the container bean. */
        @Bean
        ApplicationRunner stopTheOther(RabbitListenerEndpointRegistry registry) {
            return arguments -> registry.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                RejectingErrorHandler.class,
                AcknowledgingErrorHandler.class,
                FatalStrategy.class,
                ErrorHandlerSetAfterStart.class,
                CustomizedChain.class,
                ChainOfASubclass.class,
                FactoryThatIsNoBean.class,
                CommitsForFailures.class,
                ContainerBean.class
            })
    void whatIsInProgressAtAnotherOwnerWaitsAndRunsOnceItIsFree(Class<?> application) {
        launch(application, NO_RETRY);
        takeAsOtherOwner("k1");

        app().template()
                .convertAndSend(
                        app().name(),
                        PAYMENTS,
                        "one",
                        message -> RabbitApplication.withHeaders(message, Map.of(IdempotencyHeaders.KEY, "k1")));

        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 3);
        assertThat(script().calls()).isEmpty();
        assertThat(app().deadLetters()).isEmpty();

        app().bean(MovableClock.class).moveAhead(Duration.ofMinutes(6));

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        assertThat(app().deadLetters()).isEmpty();
    }
}
