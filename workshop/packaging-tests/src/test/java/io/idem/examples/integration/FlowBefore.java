package io.idem.examples.integration;

import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.annotation.IdempotentReceiver;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.integration.handler.advice.IdempotentReceiverInterceptor;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.integration.redis.metadata.RedisMetadataStore;
import org.springframework.integration.selector.MetadataStoreSelector;

class FlowBefore {

    private final Warehouse warehouse;

    FlowBefore(Warehouse warehouse) {
        this.warehouse = warehouse;
    }

    @Bean
    ConcurrentMetadataStore ordersSeen(RedisConnectionFactory redis) {
        return new RedisMetadataStore(redis, "orders-seen");
    }

    @Bean
    IdempotentReceiverInterceptor once(ConcurrentMetadataStore ordersSeen) {
        IdempotentReceiverInterceptor once = new IdempotentReceiverInterceptor(new MetadataStoreSelector(
                message -> String.valueOf(message.getHeaders().get("order-id")), ordersSeen));
        once.setDiscardChannelName("nullChannel");
        return once;
    }

    @ServiceActivator(inputChannel = "orders")
    @IdempotentReceiver("once")
    void ship(Order order) {
        warehouse.ship(order);
    }
}
