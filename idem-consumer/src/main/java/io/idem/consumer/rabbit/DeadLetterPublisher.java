package io.idem.consumer.rabbit;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.delivery.DeliveryVerdict;
import java.time.Duration;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/** Publishes dead letters to one exchange and waits for the broker's confirm, so that the message may be acknowledged. */
public final class DeadLetterPublisher implements DeadLetters {

    private final ConfirmedPublisher publisher;
    private final String exchange;
    private final String routingKey;

    /**
     * A publisher.
     *
     * @param connectionFactory with correlated publisher confirms and publisher returns
     * @param exchange the dead-letter exchange; empty for the default exchange
     * @param routingKey empty for the name of the queue that the message came from
     * @param confirmTimeout how long the broker's answer may take
     */
    public DeadLetterPublisher(
            ConnectionFactory connectionFactory, String exchange, String routingKey, Duration confirmTimeout) {
        this.publisher = new ConfirmedPublisher(connectionFactory, confirmTimeout);
        this.exchange = exchange;
        this.routingKey = routingKey;
    }

    @Override
    public Result publish(DeliveredMessage message, DeliveryVerdict.DeadLetter verdict) {
        RabbitDestination destination =
                new RabbitDestination(exchange, routingKey.isEmpty() ? message.origin() : routingKey);
        return publisher.publish(destination, letter(message, verdict)) ? Result.CONFIRMED : Result.REFUSED;
    }

    /**
     * The broker would send further copies of it to whom the publisher wanted to have copies of the message, and drop it when the
     * message's time is over. What it makes a dead letter itself does not expire either.
     */
    private static Message letter(DeliveredMessage message, DeliveryVerdict.DeadLetter verdict) {
        Message letter = MessageBuilder.fromClonedMessage((Message) message.source())
                .setHeader(IdempotencyHeaders.REASON, verdict.reason())
                .setHeader(IdempotencyHeaders.ORIGIN, message.origin())
                .setHeader(IdempotencyHeaders.SCOPE, verdict.scope().name())
                .setHeader(IdempotencyHeaders.ATTEMPTS, verdict.attempts())
                .removeHeader("CC")
                .removeHeader("BCC")
                .build();
        letter.getMessageProperties().setExpiration(null);
        return letter;
    }
}
