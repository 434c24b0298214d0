package io.idem.consumer.internal.rabbit.publish;

import io.idem.IdempotencyContext;
import io.idem.consumer.internal.delivery.PropagatedHeaders;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.MessageProperties;

/** Writes the propagated headers of a message; never over a header that is present. */
public final class RabbitHeaders {

    private RabbitHeaders() {}

    public static void write(IdempotencyContext context, RabbitDestination destination, MessageProperties to) {
        write(PropagatedHeaders.of(context, destination.toString(), name -> existing(name, to)), to);
    }

    public static void write(PropagatedHeaders headers, MessageProperties to) {
        headers.asMap().forEach((name, value) -> {
            if (existing(name, to) == null) {
                to.setHeader(name, value);
            }
        });
        UnkeyedPublications.keyed();
        if (to.getMessageId() == null) {
            to.setMessageId(headers.messageId());
        }
    }

    public static boolean present(String name, MessageProperties in) {
        return existing(name, in) != null;
    }

    /**
     * Returns the value of a header in any spelling: consumers find it however it is spelt, so it must not be there
     * twice.
     */
    private static @Nullable Object existing(String name, MessageProperties in) {
        return in.getHeaders().entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .map(RabbitDelivery::plain)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
