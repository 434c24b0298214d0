package io.idem.examples.outbox;

import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class Orders {

    private final JdbcClient jdbc;
    private final RabbitTemplate rabbit;

    Orders(JdbcClient jdbc, RabbitTemplate rabbit) {
        this.jdbc = jdbc;
        this.rabbit = rabbit;
    }

    @PostMapping("/v1/orders")
    @Idempotent(inbox = true)
    ResponseEntity<Order> place(@RequestBody NewOrder wanted, IdempotencyContext attempt) {
        if (wanted.quantity() < 1) {
            return ResponseEntity.unprocessableContent().build(); // before anything is written: 422 commits
        }
        String id = attempt.key().id(); // the same in every attempt
        Order order = new Order(id, wanted.item(), wanted.quantity());
        jdbc.sql("INSERT INTO orders (id, item, quantity) VALUES (?, ?, ?)")
                .params(order.id(), order.item(), order.quantity())
                .update();
        rabbit.convertAndSend("shop", "order.placed", order); // kept in the row, sent after the commit
        return ResponseEntity.status(201).body(order);
    }
}
