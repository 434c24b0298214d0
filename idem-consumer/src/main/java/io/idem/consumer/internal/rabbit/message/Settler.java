package io.idem.consumer.internal.rabbit.message;

import org.aopalliance.intercept.MethodInvocation;

/** Settles one delivery with the broker, in the way its container's acknowledgement mode demands. */
public interface Settler extends MessageSettler {

    /** Returns the call to the listener for one attempt; a new one every time. */
    MethodInvocation attempt();

    /**
     * Lets the listener adapter settle work that ended after its listener's return and is recorded, or failed; does
     * nothing for other listeners.
     */
    default void handOver() throws Exception {}

    /** Settles a message whose listener's exception goes on to the container. */
    void failed(Throwable failure) throws Exception;

    /** Settles a message that the listener never had, while an exception goes on to the container. */
    void refused(Throwable failure) throws Exception;
}
