package io.idem.applications.mutation.app;

import io.idem.consumer.IdempotentListener;
import java.util.function.Consumer;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Takes orders by a function that is bound to a queue. */
@Configuration(proxyBeanMethods = false)
class RabbitStreamShop {

    @Bean
    @IdempotentListener(scope = "orders")
    Consumer<String> place(Orders orders, RabbitTemplate template, @Value("${shop.name}.events") String events) {
        return order -> orders.place(order, event -> template.convertAndSend("", events, event));
    }
}
