package io.idem.consumer.internal.rabbit.send;

import io.idem.FailurePolicy;
import io.idem.consumer.internal.rabbit.publish.OutgoingRabbitMessage;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.publish.RoutedMessage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Publishes copies of received messages so that the originals may be acknowledged: persistent, and confirmed.
 * Thread-safe.
 */
public final class ConfirmedPublisher {

    private static final Logger LOG = LoggerFactory.getLogger(ConfirmedPublisher.class);

    /** The words with which RabbitMQ and its client refuse a message that is too large. */
    private static final Pattern LIMIT = Pattern.compile("larger than .*max|exceeded max frame size");

    private final ConfirmedChannels channels;
    private final Duration confirmTimeout;

    /** Makes a publisher over this connection factory. */
    public ConfirmedPublisher(ConnectionFactory connectionFactory, Duration confirmTimeout) {
        this.channels = new ConfirmedChannels(connectionFactory, confirmTimeout);
        this.confirmTimeout = confirmTimeout;
    }

    /**
     * Publishes a message and returns whether the broker has taken it over. Blocks until the broker answers or the time
     * is over; never throws for a refusal.
     *
     * @param what the message, for the log
     */
    public boolean publish(String what, RabbitDestination destination, Message message) {
        return publish(what, destination, message, message);
    }

    /**
     * Publishes a message, or the smaller one if it is larger than the broker or the connection allows; see above.
     *
     * @param smaller the message itself if there is none
     */
    public boolean publish(String what, RabbitDestination destination, Message message, Message smaller) {
        // A received message is not persistent by itself when it is sent again.
        message.getMessageProperties().setDeliveryMode(MessageDeliveryMode.PERSISTENT);
        try {
            channels.publish(OutgoingRabbitMessage.of(destination, new RoutedMessage(message, true)), Optional.empty())
                    .get(confirmTimeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException refused) {
            boolean large = FailurePolicy.causes(refused)
                    .anyMatch(cause ->
                            LIMIT.matcher(String.valueOf(cause.getMessage())).find());
            LOG.warn(
                    "{} was not taken by the broker at {}{}",
                    what,
                    destination,
                    large ? ": its body or its headers are larger than max_message_size or frame_max" : "",
                    refused);
            return large && !message.equals(smaller) && publish(what, destination, smaller);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
