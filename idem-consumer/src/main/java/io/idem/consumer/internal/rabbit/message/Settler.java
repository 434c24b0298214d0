package io.idem.consumer.internal.rabbit.message;

import org.aopalliance.intercept.MethodInvocation;

/** Settles one delivery with the broker, in the way its container's acknowledgement mode demands. */
public interface Settler extends MessageSettler {

    /** The call to the listener for one attempt; a fresh one every time. */
    MethodInvocation attempt();

    /** Work that ended after its listener's return is recorded, or failed, and the listener adapter settles; nothing for other listeners. */
    default void handOver() throws Exception {}

    /** The listener's exception goes on to the container. */
    void failed(Throwable failure) throws Exception;

    /** An exception goes on to the container for a message that the listener never had. */
    void refused(Throwable failure) throws Exception;
}
