package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.internal.Causes;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ListenerExecutionFailedException;

/**
 * Asks a container that acknowledges by itself to reject a dead letter, which is logged already. Carries no stack
 * trace, since it is an answer.
 */
final class RejectedDeliveryException extends ListenerExecutionFailedException {

    RejectedDeliveryException(DeliveryDecision.DeadLetter decision, Message message) {
        super(
                "Dead letter of scope \"" + decision.scope() + "\": " + decision.reason(),
                new AmqpRejectAndDontRequeueException(decision.reason()),
                message);
    }

    /** Returns whether a delivery ended with a rejection by idem, however its container wrapped that. */
    static boolean isCauseOf(Throwable failure) {
        return Causes.include(failure, RejectedDeliveryException.class);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
