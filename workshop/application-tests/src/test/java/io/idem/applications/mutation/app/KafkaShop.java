package io.idem.applications.mutation.app;

import io.idem.consumer.IdempotentListener;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;

/** Takes orders from a topic. */
@Configuration(proxyBeanMethods = false)
class KafkaShop implements Intake {

    private final Orders orders;
    private final KafkaTemplate<Object, Object> template;
    private final String events;
    private final ObjectProvider<KafkaListenerEndpointRegistry> containers;

    KafkaShop(
            Orders orders,
            KafkaTemplate<Object, Object> template,
            @Value("${shop.name}.events") String events,
            ObjectProvider<KafkaListenerEndpointRegistry> containers) {
        this.orders = orders;
        this.template = template;
        this.events = events;
        this.containers = containers;
    }

    @KafkaListener(topics = "${shop.name}")
    @IdempotentListener(scope = "orders")
    void place(String order) {
        orders.place(order, event -> {
            var unused = template.send(events, event);
        });
    }

    @Override
    public boolean isStopped() {
        return !containers.getObject().getListenerContainers().isEmpty()
                && containers.getObject().getListenerContainers().stream().noneMatch(Lifecycle::isRunning);
    }
}
