package io.idem.applications.mutation.app;

import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Configuration;

/** Takes orders from a queue. */
@Configuration(proxyBeanMethods = false)
class RabbitShop implements Intake {

    private final Orders orders;
    private final RabbitTemplate template;
    private final String events;
    private final ObjectProvider<RabbitListenerEndpointRegistry> containers;

    RabbitShop(
            Orders orders,
            RabbitTemplate template,
            @Value("${shop.name}.events") String events,
            ObjectProvider<RabbitListenerEndpointRegistry> containers) {
        this.orders = orders;
        this.template = template;
        this.events = events;
        this.containers = containers;
    }

    @RabbitListener(queues = "${shop.name}")
    @IdempotentListener(scope = "orders")
    void place(String order) {
        orders.place(order, event -> template.convertAndSend("", events, event));
    }

    @Override
    public boolean isStopped() {
        return !containers.getObject().getListenerContainers().isEmpty()
                && containers.getObject().getListenerContainers().stream().noneMatch(Lifecycle::isRunning);
    }
}
