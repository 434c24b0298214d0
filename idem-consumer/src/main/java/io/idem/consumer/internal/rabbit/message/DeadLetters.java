package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.delivery.DeliveryDecision;

/** Where messages go that will never run. Blocks until the broker has confirmed. */
@FunctionalInterface
public interface DeadLetters {

    /** Leaves them to the queue's own dead-letter policy. */
    DeadLetters LEFT_TO_THE_QUEUE = (message, decision) -> Result.LEFT_TO_THE_QUEUE;

    /** Makes a dead letter of a message. */
    Result publish(DeliveredMessage message, DeliveryDecision.DeadLetter decision);

    /** What became of it. */
    enum Result {
        /** It is durable elsewhere: the message may be acknowledged. */
        CONFIRMED,
        /** The broker did not take it: the message must stay. */
        REFUSED,
        /** Nothing was published: reject the message. */
        LEFT_TO_THE_QUEUE
    }
}
