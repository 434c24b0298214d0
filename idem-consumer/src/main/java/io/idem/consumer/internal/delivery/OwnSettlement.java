package io.idem.consumer.internal.delivery;

/**
 * The settlement of one delivery by a listener that settles its messages itself. Thread-safe: the listener may settle
 * on any thread.
 */
public interface OwnSettlement {

    /** Returns whether the listener has settled. */
    boolean isSaid();

    /**
     * Leaves the delivery to its listener, which settles the work together with the message.
     *
     * @return false, without any effect, if the listener has settled meanwhile
     */
    boolean leaveOpen(OpenWork work);
}
