package io.idem.examples.modulith;

import io.idem.consumer.IdempotentListener;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
class ShippingListener {

    private final ApplicationEventPublisher events;

    ShippingListener(ApplicationEventPublisher events) {
        this.events = events;
    }

    @KafkaListener(topics = "orders", groupId = "shipping")
    @IdempotentListener(scope = "shipping", inbox = true)
    void receive(OrderPlaced order) {
        events.publishEvent(new ShipmentDue(order.id(), order.item()));
    }
}
