package io.idem.consumer.rabbit;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.PropagatedHeaders;
import org.springframework.amqp.core.MessageProperties;

/** Writes what a message carries on; never over what is there. */
final class RabbitHeaders {

    private RabbitHeaders() {}

    static void write(IdempotencyContext context, RabbitDestination destination, MessageProperties to) {
        Object existing = to.getHeaders().get(IdempotencyHeaders.KEY);
        write(
                existing == null
                        ? PropagatedHeaders.next(context, destination.toString())
                        : PropagatedHeaders.of(context, existing.toString()),
                to);
    }

    static void write(PropagatedHeaders headers, MessageProperties to) {
        headers.asMap().forEach((name, value) -> to.getHeaders().putIfAbsent(name, value));
        if (to.getMessageId() == null) {
            to.setMessageId(headers.messageId());
        }
    }
}
