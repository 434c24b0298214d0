package io.idem.examples.modulith;

import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.support.EventExternalizationTransport;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;

@Configuration
class RabbitEvents {

    @Bean
    EventExternalizerModuleListener externalizer(EventExternalizationConfiguration events, RabbitTemplate rabbit) {
        EventExternalizationTransport transport = (event, target) -> {
            CorrelationData sent = new CorrelationData();
            rabbit.convertAndSend(
                    target.getTarget(),
                    target.getKey(),
                    event,
                    message -> {
                        message.getMessageProperties().getHeaders().putAll(events.getHeadersFor(event));
                        return message;
                    },
                    sent);
            // Not on the connection's thread: what follows writes to the database.
            return sent.getFuture().thenAcceptAsync(confirm -> {
                if (!confirm.ack() || sent.getReturned() != null) {
                    throw new IllegalStateException("RabbitMQ did not take over " + event);
                }
            });
        };
        return new EventExternalizerModuleListener(events, transport);
    }
}
