package io.idem.consumer.rabbit;

import io.idem.consumer.DeliveryVerdict;
import org.aopalliance.intercept.MethodInvocation;

/** Settles one delivery with the broker, in the way its container's acknowledgement mode demands. */
interface Settler {

    /** The call to the listener for one attempt; a fresh one every time. */
    MethodInvocation attempt();

    /** The listener ran: the settlement that it or the container gives goes out. */
    void finished() throws Exception;

    /** Acknowledges a message that did not run. */
    void acknowledge() throws Exception;

    /** Gives the message back to come again; does not count as a failure where the broker can tell the difference. */
    void defer(DeliveryVerdict.Defer verdict) throws Exception;

    /** Rejects the message for good: the queue's own dead-letter policy acts. */
    void reject(DeliveryVerdict.DeadLetter verdict) throws Exception;

    /** The listener's exception goes on to the container. */
    void failed(Throwable failure) throws Exception;

    /** An exception goes on to the container for a message that the listener never had. */
    void refused(Throwable failure) throws Exception;
}
