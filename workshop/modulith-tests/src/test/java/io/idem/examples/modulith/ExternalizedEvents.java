package io.idem.examples.modulith;

import io.idem.consumer.IdempotencyHeaders;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.modulith.events.EventExternalizationConfiguration;

@Configuration
class ExternalizedEvents {

    @Bean
    EventExternalizationConfiguration externalization() {
        return EventExternalizationConfiguration.defaults(OrderPlaced.class.getPackageName())
                .headers(OrderPlaced.class, order -> Map.of(IdempotencyHeaders.KEY, "order-placed/" + order.id()))
                .build();
    }
}
