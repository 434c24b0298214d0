package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.internal.delivery.DeliveryDecision;

/** Tells the broker what became of one message. */
public interface MessageSettler {

    /** The listener ran: the settlement that it or the container gives goes out. */
    void finished() throws Exception;

    /** Acknowledges a message that did not run. */
    void acknowledge() throws Exception;

    /** Gives the message back to come again; does not count as a failure where the broker can tell the difference. */
    void defer(DeliveryDecision.Defer decision) throws Exception;

    /** Rejects the message for good: the queue's own dead-letter policy acts. */
    void reject(DeliveryDecision.DeadLetter decision) throws Exception;
}
