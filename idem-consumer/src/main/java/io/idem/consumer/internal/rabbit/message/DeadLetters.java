package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;

/** Destination of messages that will never run. Blocks until the broker has confirmed. */
@FunctionalInterface
public interface DeadLetters {

    /** Leaves them to the queue's own dead-letter policy. */
    DeadLetters LEFT_TO_THE_QUEUE = (delivery, decision) -> Result.LEFT_TO_THE_QUEUE;

    /** Makes a dead letter of a message. */
    Result publish(Delivery delivery, DeliveryDecision.DeadLetter decision);

    /** Result of a publication. */
    enum Result {
        /** The dead letter is durable: the message may be acknowledged. */
        CONFIRMED,
        /** No queue took the dead letter: the message must stay. */
        REFUSED,
        /** No dead letter was published: reject the message. */
        LEFT_TO_THE_QUEUE
    }
}
