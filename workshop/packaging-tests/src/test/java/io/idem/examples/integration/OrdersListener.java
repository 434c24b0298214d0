package io.idem.examples.integration;

import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.stereotype.Component;

@Component
class OrdersListener {

    private final ConcurrentMetadataStore begunBefore;
    private final Shipping shipping;

    OrdersListener(ConcurrentMetadataStore begunBefore, Shipping shipping) {
        this.begunBefore = begunBefore;
        this.shipping = shipping;
    }

    @RabbitListener(queues = "orders")
    @IdempotentListener(scope = "shipping", key = "headers['order-id']")
    void received(Order order) {
        if (begunBefore.get(order.id()) != null) {
            return; // the flow had it before the switch; from now on idem's record says so
        }
        shipping.ship(order); // through the flow, on this thread, to its end
    }
}
