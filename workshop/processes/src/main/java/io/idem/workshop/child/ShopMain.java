package io.idem.workshop.child;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Idempotent;
import io.idem.consumer.IdempotentListener;
import io.idem.servers.process.ParentWatch;
import io.idem.spi.OutgoingTransport;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A shop with a tripwire that writes an order and publishes it in one transaction, and a listener for these messages.
 */
public final class ShopMain {

    /** The queue of placed orders. */
    public static final String QUEUE = "e2e.shop.ordered";

    private ShopMain() {}

    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        new SpringApplicationBuilder(AutoConfigured.class, TripwireConfiguration.class)
                .properties("spring.main.banner-mode=off", "spring.application.name=shop")
                .run(arguments);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Deliveries.class})
    static class AutoConfigured {

        @Bean
        Queue ordered() {
            return new Queue(QUEUE);
        }

        @Bean
        static BeanPostProcessor transports(Tripwire tripwire) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String beanName) {
                    return bean instanceof OutgoingTransport transport
                            ? new TransportWithTripwire(transport, tripwire)
                            : bean;
                }
            };
        }
    }

    @RestController
    static class Orders {

        private final JdbcClient jdbc;
        private final RabbitTemplate rabbit;

        Orders(JdbcClient jdbc, RabbitTemplate rabbit) {
            this.jdbc = jdbc;
            this.rabbit = rabbit;
        }

        @PostMapping("/orders")
        @Idempotent(inbox = true)
        ResponseEntity<String> order(IdempotencyKey key) {
            long number = jdbc.sql("INSERT INTO shop_orders (tenant, idempotency_key) VALUES (?, ?) RETURNING number")
                    .params(key.tenant(), key.value())
                    .query(Long.class)
                    .single();
            rabbit.convertAndSend("", QUEUE, "order " + number);
            return ResponseEntity.status(201).body("order " + number);
        }
    }

    static class Deliveries {

        private final JdbcClient jdbc;

        Deliveries(JdbcClient jdbc) {
            this.jdbc = jdbc;
        }

        @RabbitListener(queues = QUEUE)
        @IdempotentListener(scope = "deliveries", inbox = true)
        void deliver(Message ordered, IdempotencyContext attempt) {
            jdbc.sql("INSERT INTO shop_deliveries (tenant, idempotency_key, message_id) VALUES (?, ?, ?)")
                    .params(
                            attempt.key().tenant(),
                            attempt.key().value(),
                            String.valueOf(ordered.getMessageProperties().getMessageId()))
                    .update();
        }
    }
}
