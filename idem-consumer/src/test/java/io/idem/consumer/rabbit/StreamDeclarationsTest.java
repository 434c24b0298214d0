package io.idem.consumer.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ContractConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.Argument;
import org.springframework.amqp.rabbit.annotation.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Streams behind AMQP 0-9-1, as far as an application itself says that they are some. No broker is needed. */
class StreamDeclarationsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues("spring.rabbitmq.listener.simple.auto-startup=false");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {}

    static class Listener {

        @RabbitListener(queues = "orders")
        @IdempotentListener(scope = "orders")
        void on(String body) {}
    }

    static class Declared {

        @Bean
        org.springframework.amqp.core.Queue orders() {
            return QueueBuilder.durable("orders").stream().build();
        }
    }

    static class DeclaredAmongOthers {

        @Bean
        Declarables queues() {
            return new Declarables(
                    new org.springframework.amqp.core.Queue("others"),
                    QueueBuilder.durable("orders").stream().build());
        }
    }

    static class ConsumerArgument {

        @Bean
        ContainerCustomizer<SimpleMessageListenerContainer> fromTheFirst() {
            return container -> container.setConsumerArguments(Map.of("x-stream-offset", "first"));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Declared.class, DeclaredAmongOthers.class, ConsumerArgument.class})
    void aStreamIsRefusedAtTheStart(Class<?> declaration) {
        runner.withUserConfiguration(Listener.class, declaration)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining("@IdempotentListener Listener.on listens to")
                        .hasStackTraceContaining("a stream")
                        .hasStackTraceContaining("quorum queue"));
    }

    static class DeclaredByTheAnnotation {

        @RabbitListener(
                queuesToDeclare =
                        @Queue(name = "orders", arguments = @Argument(name = "x-queue-type", value = "stream")))
        @IdempotentListener(scope = "orders")
        void on(String body) {}
    }

    @Test
    void aStreamThatTheAnnotationDeclaresIsRefused() {
        runner.withUserConfiguration(DeclaredByTheAnnotation.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining("@IdempotentListener DeclaredByTheAnnotation.on listens to"));
    }

    static class QuorumQueue {

        @Bean
        org.springframework.amqp.core.Queue orders() {
            return QueueBuilder.durable("orders").quorum().build();
        }

        @Bean
        org.springframework.amqp.core.Queue stream() {
            return QueueBuilder.durable("archive").stream().build();
        }
    }

    /** The remedy of the refusal; the stream beside it is nobody's queue. */
    @Test
    void aQuorumQueueBesideAStreamIsNotRefused() {
        runner.withUserConfiguration(Listener.class, QuorumQueue.class)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
