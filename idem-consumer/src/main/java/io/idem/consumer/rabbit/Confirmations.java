package io.idem.consumer.rabbit;

import java.util.concurrent.CompletableFuture;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.ReturnedMessage;
import org.springframework.amqp.rabbit.connection.CorrelationData;

/** What the broker said of a message that was published as mandatory, with a confirm. */
final class Confirmations {

    private Confirmations() {}

    /**
     * Completes when the broker has taken the message over, and exceptionally when it refused it or had no queue for it. An
     * unroutable message is confirmed by RabbitMQ and refused by others: only both answers together mean success.
     */
    static CompletableFuture<Void> of(CorrelationData sent) {
        return sent.getFuture().thenAccept(confirm -> {
            ReturnedMessage returned = sent.getReturned();
            if (returned != null) {
                throw new AmqpException("No queue for a message to exchange \"" + returned.getExchange()
                        + "\" with routing key \"" + returned.getRoutingKey() + "\": " + returned.getReplyText());
            }
            if (!confirm.ack()) {
                throw new AmqpException("The broker refused a message: " + confirm.reason());
            }
        });
    }
}
