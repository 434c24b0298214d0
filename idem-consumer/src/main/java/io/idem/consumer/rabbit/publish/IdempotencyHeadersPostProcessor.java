package io.idem.consumer.rabbit.publish;

import io.idem.IdempotencyContext;
import io.idem.consumer.internal.batch.BoundContexts;
import io.idem.consumer.internal.delivery.Outgoing;
import io.idem.consumer.internal.delivery.PropagatedHeaders;
import io.idem.consumer.internal.delivery.Received;
import io.idem.consumer.internal.rabbit.publish.AwaitedPublications;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.publish.RabbitHeaders;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Correlation;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;

/**
 * Gives messages that are published inside idempotent work their own key, the tenant, the root and a stable message id;
 * does nothing to all others. Added to every {@code RabbitTemplate} of the application. Thread-safe.
 */
public final class IdempotencyHeadersPostProcessor implements MessagePostProcessor {

    /**
     * Names a message for {@code convertAndSend}, so that its key does not depend on the order in which the work
     * publishes.
     *
     * @param name unique among the work's messages to that exchange and routing key
     */
    public static MessagePostProcessor named(String name) {
        return new Named(name);
    }

    @Override
    public Message postProcessMessage(Message message) {
        return message;
    }

    @Override
    public Message postProcessMessage(
            Message message, @Nullable Correlation correlation, String exchange, String routingKey) {
        if (correlation instanceof RabbitHeaders.Written) {
            return message;
        }
        RabbitDestination to = new RabbitDestination(exchange, routingKey);
        return BoundContexts.toPublish(() -> outgoing(to, message))
                .map(context -> written(context, to, message))
                .orElse(message);
    }

    private static Outgoing outgoing(RabbitDestination to, Message message) {
        return to.of(AwaitedPublications.unprocessed(to, message));
    }

    private static Message written(IdempotencyContext context, RabbitDestination destination, Message message) {
        Message written = RabbitHeaders.write(context, sent -> outgoing(destination, sent), message);
        Received.published(context, outgoing(destination, written));
        return written;
    }

    private record Named(String name) implements MessagePostProcessor {

        @Override
        public Message postProcessMessage(Message message) {
            return message;
        }

        @Override
        public Message postProcessMessage(
                Message message, @Nullable Correlation correlation, String exchange, String routingKey) {
            Outgoing outgoing = new RabbitDestination(exchange, routingKey).of(message);
            return BoundContexts.toPublish(() -> outgoing)
                    .map(context -> PropagatedHeaders.named(context, outgoing, name))
                    .map(headers -> RabbitHeaders.write(headers, message))
                    .orElse(message);
        }
    }
}
