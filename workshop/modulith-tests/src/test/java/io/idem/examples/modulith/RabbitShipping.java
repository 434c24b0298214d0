package io.idem.examples.modulith;

import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.Exchange;
import org.springframework.amqp.rabbit.annotation.Queue;
import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Listens to the orders on RabbitMQ; a second queue keeps all messages for the test. */
@Import(RabbitEvents.class)
class RabbitShipping {

    private final ApplicationEventPublisher events;

    RabbitShipping(ApplicationEventPublisher events) {
        this.events = events;
    }

    @Bean
    static JacksonJsonMessageConverter json() {
        return new JacksonJsonMessageConverter();
    }

    @Bean
    static org.springframework.amqp.core.Queue kept() {
        return new org.springframework.amqp.core.Queue("kept");
    }

    @Bean
    static org.springframework.amqp.core.Binding keeping() {
        return new org.springframework.amqp.core.Binding(
                "kept", org.springframework.amqp.core.Binding.DestinationType.QUEUE, "orders", "", null);
    }

    @RabbitListener(
            bindings =
                    @QueueBinding(value = @Queue("shipping"), exchange = @Exchange(value = "orders", type = "fanout")))
    @IdempotentListener(scope = "shipping", inbox = true)
    void receive(OrderPlaced order) {
        events.publishEvent(new ShipmentDue(order.id(), order.item()));
    }
}
