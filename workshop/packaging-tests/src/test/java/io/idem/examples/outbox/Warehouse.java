package io.idem.examples.outbox;

import io.idem.consumer.IdempotentListener;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.amqp.rabbit.annotation.Exchange;
import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitListener;

/** The ordinary idempotent listener to which the guide's messages go. */
class Warehouse {

    private final Queue<String> shipped = new ConcurrentLinkedQueue<>();

    @RabbitListener(
            bindings =
                    @QueueBinding(
                            value = @org.springframework.amqp.rabbit.annotation.Queue("warehouse"),
                            exchange = @Exchange("shop"),
                            key = "order.placed"))
    @IdempotentListener(scope = "warehouse")
    void ship(Order order) {
        shipped.add(order.id());
    }

    List<String> shipped() {
        return List.copyOf(shipped);
    }
}
