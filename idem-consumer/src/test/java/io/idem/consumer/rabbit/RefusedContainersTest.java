package io.idem.consumer.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import com.rabbitmq.client.amqp.impl.AmqpEnvironmentBuilder;
import com.rabbitmq.stream.Environment;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.ContractConfiguration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerContainerFactory;
import org.springframework.amqp.rabbitmq.client.SingleAmqpConnectionFactory;
import org.springframework.amqp.rabbitmq.client.config.RabbitAmqpListenerContainerFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.rabbit.stream.config.StreamRabbitListenerContainerFactory;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.interceptor.MatchAlwaysTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** Containers that could acknowledge what was not done end the start, rather than the first message. No broker is needed. */
@Tag("extended")
class RefusedContainersTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues("spring.rabbitmq.listener.simple.auto-startup=false");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {

        @Bean
        StreamRabbitListenerContainerFactory streams(Environment environment) {
            return new StreamRabbitListenerContainerFactory(environment);
        }

        @Bean(destroyMethod = "close")
        com.rabbitmq.client.amqp.Environment amqpOneEnvironment() {
            return new AmqpEnvironmentBuilder().build();
        }

        @Bean
        SingleAmqpConnectionFactory amqpOneConnections(com.rabbitmq.client.amqp.Environment environment) {
            return new SingleAmqpConnectionFactory(environment);
        }

        @Bean
        RabbitAmqpListenerContainerFactory amqpOne(SingleAmqpConnectionFactory connections) {
            return new RabbitAmqpListenerContainerFactory(connections);
        }

        @Bean
        RabbitAmqpListenerContainerFactory amqpOneBatches(SingleAmqpConnectionFactory connections) {
            RabbitAmqpListenerContainerFactory factory = new RabbitAmqpListenerContainerFactory(connections);
            factory.setBatchSize(10);
            return factory;
        }

        @Bean
        SimpleRabbitListenerContainerFactory transactional(
                ConnectionFactory connections, TransactionManager transactions) {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            factory.setConnectionFactory(connections);
            factory.setAutoStartup(false);
            factory.setAdviceChain(
                    new TransactionInterceptor(transactions, new MatchAlwaysTransactionAttributeSource()));
            return factory;
        }

        @Bean
        RabbitListenerContainerFactory<MessageListenerContainer> handMade() {
            return endpoint -> mock(MessageListenerContainer.class);
        }
    }

    private void assertRefused(Class<?> listener, String... words) {
        runner.withUserConfiguration(listener)
                .run(context -> assertThat(refusal(context).getMessage())
                        .contains(listener.getSimpleName() + ".on")
                        .contains(words));
    }

    private static ListenerConfigurationException refusal(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        return Stream.iterate(context.getStartupFailure(), cause -> cause != null, Throwable::getCause)
                .filter(ListenerConfigurationException.class::isInstance)
                .map(ListenerConfigurationException.class::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("refused for another reason", context.getStartupFailure()));
    }

    static class Streaming {

        @RabbitListener(queues = "stream", containerFactory = "streams")
        @IdempotentListener(scope = "stream")
        void on(String body) {}
    }

    @Test
    void aStreamCannotGiveAMessageBack() {
        assertRefused(Streaming.class, "StreamListenerContainer", "streams", "SimpleRabbitListenerContainerFactory");
    }

    static class AmqpOneManual {

        @RabbitListener(queues = "queue", containerFactory = "amqpOne", ackMode = "MANUAL")
        @IdempotentListener(scope = "manual")
        void on(String body) {}
    }

    @Test
    void anAmqp1ListenerThatSettlesItselfIsRefused() {
        assertRefused(AmqpOneManual.class, "MANUAL", "ackMode", "autoSettle");
    }

    static class AmqpOneBatches {

        @RabbitListener(queues = "queue", containerFactory = "amqpOneBatches")
        @IdempotentListener(scope = "batches")
        void on(List<String> bodies) {}
    }

    @Test
    void anAmqp1BatchIsRefused() {
        assertRefused(AmqpOneBatches.class, "batch", "batchSize");
    }

    static class AmqpOneAsync {

        @RabbitListener(queues = "queue", containerFactory = "amqpOne")
        @IdempotentListener(scope = "later")
        CompletableFuture<String> on(String body) {
            return CompletableFuture.completedFuture(body);
        }
    }

    @Test
    void anAmqp1ListenerThatReturnsItsResultLaterIsRefused() {
        assertRefused(AmqpOneAsync.class, "returns");
    }

    static class InTransactionOfAnAdvice {

        @RabbitListener(queues = "queue", containerFactory = "transactional")
        @IdempotentListener(scope = "advised")
        void on(String body) {}
    }

    @Test
    void aTransactionInterceptorInTheAdviceChainIsRefused() {
        assertRefused(InTransactionOfAnAdvice.class, "TransactionInterceptor", "advice chain", "@Transactional");
    }

    static class HandMade {

        @RabbitListener(queues = "queue", containerFactory = "handMade")
        @IdempotentListener(scope = "hand-made")
        void on(String body) {}
    }

    @Test
    void aContainerThatCannotBeHookedIntoIsRefused() {
        assertRefused(HandMade.class, "cannot hook into", "SimpleRabbitListenerContainerFactory");
    }

    static class Others {

        @RabbitListener(queues = "queue", containerFactory = "handMade")
        void hand(String body) {}

        @RabbitListener(queues = "queue", containerFactory = "amqpOne", autoStartup = "false")
        void amqp(String body) {}

        @RabbitListener(queues = "queue", containerFactory = "streams", autoStartup = "false")
        void stream(String body) {}
    }

    @Test
    void listenersThatAreNotIdempotentGetAnyContainer() {
        runner.withUserConfiguration(Others.class)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
