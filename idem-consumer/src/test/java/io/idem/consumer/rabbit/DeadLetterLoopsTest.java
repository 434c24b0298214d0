package io.idem.consumer.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ContractConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Exchange;
import org.springframework.amqp.core.FanoutExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Queues that an application declares so that their dead letters come back to them. No broker is needed. */
class DeadLetterLoopsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues("spring.rabbitmq.listener.simple.auto-startup=false");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {

        @RabbitListener(queues = "orders")
        @IdempotentListener(scope = "orders")
        void on(String body) {}
    }

    static class ByName {

        @Bean
        Queue orders() {
            return letters(QueueBuilder.durable("orders"), "", "orders.wait");
        }

        @Bean
        Queue waiting() {
            return letters(QueueBuilder.durable("orders.wait").ttl(500), "", "orders");
        }
    }

    static class ByExchanges {

        @Bean
        Declarables queues() {
            DirectExchange exchange = new DirectExchange("orders");
            Queue orders = QueueBuilder.durable("orders")
                    .deadLetterExchange("orders.wait")
                    .build();
            Queue waiting = letters(QueueBuilder.durable("orders.wait").ttl(500), "orders", "new");
            Binding into = BindingBuilder.bind(orders).to(exchange).with("new");
            Binding wait = BindingBuilder.bind(waiting)
                    .to(new DirectExchange("orders.wait"))
                    .with("new");
            return new Declarables(exchange, orders, waiting, into, wait);
        }
    }

    private static Declarables through(Exchange exchange, Queue orders, Queue waiting, String pattern) {
        return new Declarables(
                exchange,
                orders,
                waiting,
                BindingBuilder.bind(waiting).to(exchange).with(pattern).noargs());
    }

    static class ByFanout {

        @Bean
        Declarables queues() {
            return through(
                    new FanoutExchange("dlx"),
                    letters(QueueBuilder.durable("orders"), "dlx", "any"),
                    letters(QueueBuilder.durable("orders.wait").ttl(500), "", "orders"),
                    "");
        }
    }

    static class ByTopic {

        @Bean
        Declarables queues() {
            return through(
                    new TopicExchange("dlx"),
                    letters(QueueBuilder.durable("orders"), "dlx", "orders.failed"),
                    letters(QueueBuilder.durable("orders.wait").ttl(500), "", "orders"),
                    "orders.#");
        }
    }

    static class ByTopicWithBrackets {

        @Bean
        Declarables queues() {
            return through(
                    new TopicExchange("dlx"),
                    letters(QueueBuilder.durable("orders"), "dlx", "orders.[eu.failed"),
                    letters(QueueBuilder.durable("orders.wait").ttl(500), "", "orders"),
                    "orders.[eu.*");
        }
    }

    static class ByOtherTopic {

        @Bean
        Declarables queues() {
            return through(
                    new TopicExchange("dlx"),
                    letters(QueueBuilder.durable("orders"), "dlx", "orders.failed"),
                    letters(QueueBuilder.durable("orders.wait").ttl(500), "", "orders"),
                    "*.late");
        }
    }

    static class ToItself {

        @Bean
        Queue orders() {
            return letters(QueueBuilder.durable("orders"), "", "orders");
        }
    }

    static class WhereTheyStay {

        @Bean
        Queue orders() {
            return letters(QueueBuilder.durable("orders"), "", "orders.dead");
        }

        @Bean
        Queue dead() {
            return letters(QueueBuilder.durable("orders.dead"), "", "orders");
        }

        @Bean
        Queue waiting() {
            return letters(QueueBuilder.durable("orders.wait").ttl(500), "", "orders");
        }
    }

    private static Queue letters(QueueBuilder queue, String exchange, String key) {
        return queue.deadLetterExchange(exchange).deadLetterRoutingKey(key).build();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ByName.class,
                ByExchanges.class,
                ByFanout.class,
                ByTopic.class,
                ByTopicWithBrackets.class,
                ToItself.class
            })
    void aQueueThatGetsItsDeadLettersBackIsRefused(Class<?> declaration) {
        runner.withUserConfiguration(declaration)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining("@IdempotentListener Application.on listens to orders")
                        .hasStackTraceContaining("idem.consumer.rabbit.dead-letter.exchange"));
    }

    @Test
    void aDestinationOfIdemsOrAQueueWhereLettersStayIsNot() {
        runner.withUserConfiguration(WhereTheyStay.class)
                .run(context -> assertThat(context).hasNotFailed());
        runner.withUserConfiguration(ByOtherTopic.class)
                .run(context -> assertThat(context).hasNotFailed());
        runner.withUserConfiguration(ByName.class)
                .withPropertyValues(
                        "idem.consumer.rabbit.dead-letter.exchange=",
                        "idem.consumer.rabbit.dead-letter.routing-key=orders.dead",
                        "spring.rabbitmq.publisher-confirm-type=correlated",
                        "spring.rabbitmq.publisher-returns=true")
                .run(context -> assertThat(context).hasNotFailed());
    }
}
