package io.idem.consumer.internal.rabbit.publish;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.ReturnedMessage;
import org.springframework.amqp.rabbit.connection.CorrelationData;

/** The broker's answer to a message that was published as mandatory, with a confirm. */
public final class Confirmations {

    private Confirmations() {}

    /**
     * Passes the broker's answer on to the awaited data, where an application's post-processor has put other data in
     * its place.
     *
     * @param sent with the message
     * @param awaited null if the answer is not awaited
     * @return the data to send
     */
    public static CorrelationData answering(CorrelationData sent, @Nullable CorrelationData awaited) {
        if (awaited != null && awaited != sent) {
            var unused = sent.getFuture().whenComplete((confirm, failure) -> answer(awaited, sent, confirm, failure));
        }
        return sent;
    }

    private static void answer(
            CorrelationData awaited,
            CorrelationData sent,
            CorrelationData.@Nullable Confirm confirm,
            @Nullable Throwable failure) {
        ReturnedMessage returned = sent.getReturned();
        if (returned != null) {
            awaited.setReturned(returned);
        }
        if (failure == null) {
            awaited.getFuture().complete(confirm);
        } else {
            awaited.getFuture().completeExceptionally(failure);
        }
    }

    /**
     * Returns a future that completes when the broker has taken the message over, and exceptionally when it refused it
     * or had no queue for it. An unroutable message is confirmed by RabbitMQ and refused by others: only both answers
     * together mean success.
     */
    public static CompletableFuture<Void> of(CorrelationData sent) {
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
