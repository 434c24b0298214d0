package io.idem.applications.mutation.app;

import io.idem.Idempotent;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders by requests. */
@RestController
class WebShop {

    private final Orders orders;
    private final RabbitTemplate template;
    private final String events;

    WebShop(Orders orders, RabbitTemplate template, @Value("${shop.name}.events") String events) {
        this.orders = orders;
        this.template = template;
        this.events = events;
    }

    @PostMapping("/orders")
    @Idempotent
    String place(@RequestBody String order) {
        orders.place(order, event -> template.convertAndSend("", events, event));
        return "placed";
    }
}
