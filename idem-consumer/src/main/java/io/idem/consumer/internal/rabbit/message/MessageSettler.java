package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.internal.delivery.DeliveryDecision;

/** Settles one message with the broker. */
public interface MessageSettler {

    /** Sends the settlement that the listener or the container gives after the listener ran. */
    void finished() throws Exception;

    /** Acknowledges a message that did not run. */
    void acknowledge() throws Exception;

    /** Hands the message back to come again; does not count as a failure where the broker can tell the difference. */
    void defer(DeliveryDecision.Defer decision) throws Exception;

    /** Rejects the message for good: the queue's own dead-letter policy acts. */
    void reject(DeliveryDecision.DeadLetter decision) throws Exception;
}
