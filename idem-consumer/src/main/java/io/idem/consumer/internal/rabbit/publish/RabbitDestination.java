package io.idem.consumer.internal.rabbit.publish;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.delivery.Outgoing;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/** Exchange and routing key of a publication; its text is the destination from which message keys are derived. */
public record RabbitDestination(String exchange, String routingKey) {

    /** Returns a message on its way to this destination. */
    public Outgoing of(Message message) {
        return new Outgoing(
                toString(),
                new RabbitDelivery(message, () -> false),
                this::isOriginOf,
                received -> Objects.deepEquals(received.body(), message.getBody()));
    }

    private boolean isOriginOf(DeliveredMessage received) {
        return received.source() instanceof Message message
                && (equals(new RabbitDestination("", received.origin()))
                        || equals(from(message.getMessageProperties())));
    }

    /**
     * Returns whether a queue may still be declared under the name to which a message goes. Names of some prefixes are given
     * by the broker or by Spring's AnonymousQueue, for reply queues mostly: one that is gone does not come back.
     */
    boolean isExpected() {
        return exchange.isEmpty() && Stream.of("amq.", "spring.gen-").noneMatch(routingKey::startsWith);
    }

    private static RabbitDestination from(MessageProperties received) {
        return new RabbitDestination(
                String.valueOf(received.getReceivedExchange()), String.valueOf(received.getReceivedRoutingKey()));
    }

    @Override
    public String toString() {
        return exchange + "/" + routingKey;
    }
}
