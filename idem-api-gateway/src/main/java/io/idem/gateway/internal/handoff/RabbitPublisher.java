package io.idem.gateway.internal.handoff;

import io.idem.IdempotencyContext;
import io.idem.consumer.internal.rabbit.publish.OutgoingRabbitMessage;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.publish.RoutedMessage;
import io.idem.consumer.internal.rabbit.send.ConfirmedChannels;
import io.idem.consumer.rabbit.publish.IdempotencyHeadersPostProcessor;
import io.idem.gateway.Destination;
import io.idem.gateway.HandOffFailedException;
import io.idem.gateway.IntakeRequest;
import java.time.Duration;
import java.util.Optional;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Publishes persistent messages to RabbitMQ and waits until they are in a queue. Thread-safe.
 *
 * @param template keeps messages inside a transaction of the inbox
 * @param channels over the connection of the template
 * @param confirmTimeout the longest wait
 * @param blocked stops all sending while it reports a blocked connection
 */
public record RabbitPublisher(
        RabbitTemplate template,
        ConfirmedChannels channels,
        Duration confirmTimeout,
        PublishingLimit limit,
        BlockedConnections blocked) {

    private static final int NO_LIMIT = 0;
    private static final IdempotencyHeadersPostProcessor KEYS = new IdempotencyHeadersPostProcessor();

    /**
     * Throws if the broker is unreachable, silent, or accepts no messages; blocks while a connection is made and until
     * the broker answers.
     *
     * <p>Sets a channel's quality of service, because the client library answers most other calls itself, so that only
     * a call which the broker must answer shows a silent one. No prefetch limit is the default of every channel.
     */
    public void check() {
        blocked.check();
        var unused = template.execute(channel -> {
            channel.basicQos(NO_LIMIT);
            return true;
        });
    }

    /**
     * Returns when the message is in a queue: neither refused nor returned, and confirmed in time. Inside a transaction
     * of the inbox the message is kept and the method returns at once.
     */
    public void publish(Destination.Exchange to, IntakeRequest request) {
        if (keeping()) {
            template.send(to.name(), to.routingKey(), message(request));
        } else {
            send(to, request);
        }
    }

    private static boolean keeping() {
        return IdempotencyContext.current()
                .filter(context -> context.publications().keeping())
                .isPresent();
    }

    private void send(Destination.Exchange to, IntakeRequest request) {
        BrokerConfirmation confirmation = new BrokerConfirmation(
                "exchange \"" + to.name() + "\" with routing key \"" + to.routingKey() + "\"", confirmTimeout);
        limit.publish(confirmation, () -> publish(to, request, confirmation));
    }

    private void publish(Destination.Exchange to, IntakeRequest request, BrokerConfirmation confirmation) {
        try {
            blocked.check();
        } catch (AmqpException notSent) {
            throw confirmation.failed("could not be sent", notSent);
        }
        RabbitDestination destination = new RabbitDestination(to.name(), to.routingKey());
        Message keyed = KEYS.postProcessMessage(message(request), null, to.name(), to.routingKey());
        confirmation.await(channels.publish(
                OutgoingRabbitMessage.of(destination, new RoutedMessage(keyed, true)), Optional.empty()));
    }

    /**
     * Builds the message, and refuses one that the client library cannot write: the library would never confirm it, nor
     * release its channel.
     */
    private static RoutedMessage message(IntakeRequest request) {
        if (!IntakeRequest.fits(request.contentType())) {
            throw new HandOffFailedException("A message cannot be sent: its content type is too long for AMQP", null);
        }
        Message message = MessageBuilder.withBody(request.body())
                .setContentType(request.contentType())
                .setDeliveryMode(MessageDeliveryMode.PERSISTENT)
                .build();
        return new RoutedMessage(message, true);
    }
}
