package io.idem.examples.filter;

import io.idem.consumer.IdempotentListener;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
class Shipping {

    private final Warehouse warehouse;

    Shipping(Warehouse warehouse) {
        this.warehouse = warehouse;
    }

    @KafkaListener(topics = "orders", groupId = "shipping")
    @IdempotentListener(scope = "shipping", key = "message.key()") // what the filter went by
    void ship(Order order) {
        warehouse.ship(order);
    }
}
