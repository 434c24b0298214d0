package io.idem.examples;

import io.idem.consumer.rabbit.publish.PropagatingRabbitTemplate;
import io.idem.examples.Shop.NewOrder;
import io.idem.examples.Shop.Order;
import io.idem.examples.Shop.Orders;
import io.idem.http.Idempotent;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** docs/inbox-outbox.md. */
class OutboxPage {

    private final Orders orders;
    private final PropagatingRabbitTemplate rabbit;

    OutboxPage(Orders orders, PropagatingRabbitTemplate rabbit) {
        this.orders = orders;
        this.rabbit = rabbit;
    }

    @PostMapping("/orders")
    @Idempotent(inbox = true)
    ResponseEntity<Order> order(@RequestBody NewOrder wanted) {
        Order order = orders.save(wanted); // joins the transaction that idem opened
        rabbit.convertAndSend("shop", "ordered", order); // kept in the row
        return ResponseEntity.status(201).body(order);
    }
}
