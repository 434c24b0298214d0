package io.idem.applications.mutation.app;

import io.idem.consumer.IdempotentListener;
import java.util.function.Consumer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;

/** Takes orders by a function that is bound to a topic. */
@Configuration(proxyBeanMethods = false)
class KafkaStreamShop {

    @Bean
    @IdempotentListener(scope = "orders")
    Consumer<String> place(
            Orders orders, KafkaTemplate<Object, Object> template, @Value("${shop.name}.events") String events) {
        return order -> orders.place(order, event -> {
            var unused = template.send(events, event);
        });
    }
}
