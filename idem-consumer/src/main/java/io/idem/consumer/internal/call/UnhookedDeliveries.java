package io.idem.consumer.internal.call;

import io.idem.consumer.ListenerConfigurationException;

/**
 * Decides about a delivery that a container of one transport makes to an idempotent listener without a delivery hook,
 * because idem could not see the container. The message must not be acknowledged, and its delivery must not count as a
 * failure of the message. Thread-safe.
 */
public interface UnhookedDeliveries {

    /** Returns whether a class on the call stack belongs to a listener container of this transport. */
    boolean isContainer(Class<?> caller);

    /**
     * Refuses the delivery in the one way that this transport's containers do not take for a failure of the message.
     * May block until the application stops.
     *
     * @return the exception to throw then
     * @throws Error if that is what stops the container without an acknowledgement
     */
    RuntimeException refuse(ListenerConfigurationException refusal);

    /** Returns whether an argument of a call is a message that a container of this transport has delivered. */
    boolean isDelivered(Object argument);

    /**
     * Refuses a call to which a container's listener has handed its message on another thread. Blocks that thread, and
     * with it a listener that waits for the call, until the container can acknowledge nothing any more.
     *
     * @return the exception to throw then
     */
    RuntimeException hold(ListenerConfigurationException refusal);
}
