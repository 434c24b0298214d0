package io.idem.consumer.internal.rabbit.send;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.rabbit.message.DeadLetters;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageBuilderSupport;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Publishes dead letters to one exchange, over the connection over which their message came, and waits for the broker's
 * confirm, so that the message may be acknowledged. Thread-safe; blocks until the broker answers.
 *
 * @param connections of the application
 * @param exchange the dead-letter exchange; empty for the default exchange
 * @param routingKey empty for the name of the queue that the message came from
 * @param confirmTimeout how long the broker's answer may take
 */
public record RabbitDeadLetterWriter(
        RabbitConnections connections, String exchange, String routingKey, Duration confirmTimeout) {

    /** Returns the dead letters of messages that come over a connection. */
    public DeadLetters over(ConnectionFactory connection) {
        ConfirmedPublisher publisher = new ConfirmedPublisher(connection, confirmTimeout);
        Optional<String> name = connections.nameAmongSeveral(connection);
        return (delivery, decision) -> {
            DeliveredMessage message = delivery.message();
            Message bare = bare((Message) message.source());
            return publisher.publish(
                            "The dead letter of " + delivery,
                            destination(message),
                            letter(bare, message, decision, name),
                            bare)
                    ? DeadLetters.Result.CONFIRMED
                    : DeadLetters.Result.REFUSED;
        };
    }

    /**
     * Returns the dead letters of messages that come over a connection of another kind.
     *
     * @throws ListenerConfigurationException if there are several connections for letters
     */
    public DeadLetters overTheOnlyConnection() {
        List<ConnectionFactory> all = connections.all();
        if (all.size() > 1) {
            throw new ListenerConfigurationException(
                    "there are several ConnectionFactory beans, and nothing says which of them leads to the broker of an AMQP"
                            + " 1.0 container",
                    "Leave its dead letters to its queue's own policy, or use a SimpleRabbitListenerContainerFactory");
        }
        return over(all.get(0));
    }

    private RabbitDestination destination(DeliveredMessage message) {
        return new RabbitDestination(exchange, routingKey.isEmpty() ? message.origin() : routingKey);
    }

    /**
     * Returns the message without headers for further copies and without its time to live: the broker would send copies
     * again, and drop the letter. A dead letter of the broker itself does not expire either.
     */
    private static Message bare(Message message) {
        Message bare = MessageBuilder.fromClonedMessage(message)
                .removeHeader(IdempotencyHeaders.CONNECTION)
                .removeHeader("CC")
                .removeHeader("BCC")
                .build();
        bare.getMessageProperties().setExpiration(null);
        return bare;
    }

    private static Message letter(
            Message bare, DeliveredMessage message, DeliveryDecision.DeadLetter decision, Optional<String> connection) {
        MessageBuilderSupport<Message> builder = MessageBuilder.fromClonedMessage(bare)
                .setHeader(IdempotencyHeaders.REASON, decision.reason())
                .setHeader(IdempotencyHeaders.ORIGIN, message.origin())
                .setHeader(IdempotencyHeaders.SCOPE, decision.scope().name())
                .setHeader(IdempotencyHeaders.ATTEMPTS, decision.attempts());
        connection.ifPresent(name -> builder.setHeader(IdempotencyHeaders.CONNECTION, name));
        return builder.build();
    }
}
