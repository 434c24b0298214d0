package io.idem.consumer.delivery;

/** What a listener that settles its messages itself says to the broker of one delivery. Thread-safe: it may say so on any thread. */
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
