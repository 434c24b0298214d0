package io.idem.consumer.internal.delivery;

import org.jspecify.annotations.Nullable;

/**
 * A call along the way of messages that ends at the first link of idem it meets, so that nothing behind that link is
 * called. A thread-bound static because the frameworks offer no other way to the links; set and cleared in one place.
 * Deliveries and publications of other threads go on meanwhile.
 */
public final class Probe {

    private static final ThreadLocal<@Nullable Probe> BOUND = new ThreadLocal<>();

    private final Object link;
    private boolean arrived;

    private Probe(Object link) {
        this.link = link;
    }

    /**
     * Makes a call, and returns whether it has come to a link. What fails behind that, on the way back, does not count: the link
     * returns nothing.
     */
    public static boolean arrivesAt(Object link, CurrentDelivery.HandOver call) throws Throwable {
        Probe probe = new Probe(link);
        BOUND.set(probe);
        try {
            call.call();
        } catch (Throwable failure) {
            if (!probe.arrived) {
                throw failure;
            }
        } finally {
            BOUND.remove();
        }
        return probe.arrived;
    }

    /** Returns whether the present call is a probe, which has to end at this link. Each link asks before all else. */
    public static boolean endsAt(Object link) {
        Probe probe = BOUND.get();
        if (probe != null) {
            probe.arrived = probe.link == link;
        }
        return probe != null;
    }
}
