package io.idem.consumer.internal.rabbit.publish;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.delivery.Outgoing;
import io.idem.consumer.internal.delivery.PropagatedHeaders;
import io.idem.consumer.internal.delivery.Received;
import io.idem.consumer.internal.key.CloudEventKey;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import java.util.function.Function;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.CorrelationData;

/** Writes the propagated headers of a message; never over a header that is present, unless they take its place. */
public final class RabbitHeaders {

    private RabbitHeaders() {}

    /** Correlation data of a message that is awaited, and that is not its caller's. */
    static class Awaited extends CorrelationData {}

    /** Correlation data of a message whose headers are written. */
    public static final class Written extends Awaited {}

    /** Returns the message with its headers; a copy where they take the place of others, which another message may share. */
    public static Message write(PropagatedHeaders headers, Message message) {
        Message written = headers.replaced() == null
                ? message
                : MessageBuilder.fromClonedMessage(message).build();
        MessageProperties to = written.getMessageProperties();
        if (headers.replaceEventId(new RabbitDelivery(written, () -> false))) {
            to.getHeaders().replaceAll((name, value) -> CloudEventKey.isId(name) ? headers.messageId() : value);
        }
        if (headers.replaced() != null) {
            to.getHeaders().keySet().removeIf(PropagatedHeaders::isKey);
        }
        headers.asMap().forEach((name, value) -> {
            if (!present(name, written)) {
                to.setHeader(name, value);
            }
        });
        UnkeyedPublications.keyed();
        if (to.getMessageId() == null || headers.replaceId(to.getMessageId())) {
            to.setMessageId(headers.messageId());
        }
        return written;
    }

    /**
     * Returns a message of a context with its headers.
     *
     * @param sent makes the message that a receiver would get
     */
    public static Message write(IdempotencyContext context, Function<Message, Outgoing> sent, Message message) {
        Message written = write(InboxSends.headers(() -> PropagatedHeaders.of(context, sent.apply(message))), message);
        // Never on the message itself: that may be the one that brought the work, which a retry reads once more.
        return Received.mark(context, sent.apply(written))
                .map(mark -> MessageBuilder.fromClonedMessage(written)
                        .setHeader(IdempotencyHeaders.DERIVED, mark)
                        .build())
                .orElse(written);
    }

    /** Returns whether a header is there in any spelling: consumers find it however it is spelt, so it must not be there twice. */
    public static boolean present(String name, Message in) {
        return PropagatedHeaders.last(new RabbitDelivery(in, () -> false), name) != null;
    }
}
