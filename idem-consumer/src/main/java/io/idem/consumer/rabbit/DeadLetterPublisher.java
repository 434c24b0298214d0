package io.idem.consumer.rabbit;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.DeliveryVerdict;
import io.idem.consumer.IdempotencyHeaders;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/** Publishes dead letters to one exchange and waits for the broker's confirm, so that the message may be acknowledged. */
public final class DeadLetterPublisher implements DeadLetters {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterPublisher.class);

    private final PropagatingRabbitTemplate template;
    private final String exchange;
    private final String routingKey;
    private final Duration confirmTimeout;

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
        this.template = new PropagatingRabbitTemplate(connectionFactory);
        this.exchange = exchange;
        this.routingKey = routingKey;
        this.confirmTimeout = confirmTimeout;
    }

    @Override
    public Result publish(DeliveredMessage message, DeliveryVerdict.DeadLetter verdict) {
        RabbitDestination destination =
                new RabbitDestination(exchange, routingKey.isEmpty() ? message.origin() : routingKey);
        try {
            template.publish(destination, letter(message, verdict))
                    .get(confirmTimeout.toMillis(), TimeUnit.MILLISECONDS);
            return Result.CONFIRMED;
        } catch (ExecutionException | TimeoutException refused) {
            LOG.warn("The dead letter of {} was not taken by {}; the message stays", message, destination, refused);
            return Result.REFUSED;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Result.REFUSED;
        }
    }

    private static Message letter(DeliveredMessage message, DeliveryVerdict.DeadLetter verdict) {
        return MessageBuilder.fromClonedMessage((Message) message.source())
                .setHeader(IdempotencyHeaders.REASON, verdict.reason())
                .setHeader(IdempotencyHeaders.ORIGIN, message.origin())
                .setHeader(IdempotencyHeaders.SCOPE, verdict.scope().name())
                .setHeader(IdempotencyHeaders.ATTEMPTS, verdict.attempts())
                .build();
    }
}
