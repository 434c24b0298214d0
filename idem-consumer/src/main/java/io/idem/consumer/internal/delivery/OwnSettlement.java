package io.idem.consumer.internal.delivery;

/** The settlement of one delivery by a listener that settles its messages itself. Thread-safe: it may settle on any thread. */
public interface OwnSettlement {

    /** Whether it has said anything. */
    boolean isSaid();

    /**
     * Leaves the delivery to its listener, which settles the work together with the message.
     *
     * @return false, and nothing else happens, if the listener has said something meanwhile
     */
    boolean leaveOpen(OpenWork work);
}
