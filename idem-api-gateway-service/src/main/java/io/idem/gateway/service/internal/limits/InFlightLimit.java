package io.idem.gateway.service.internal.limits;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/** How many requests may be in flight at once, whosever they are. Thread-safe. */
public final class InFlightLimit {

    private final int most;
    private final Semaphore places;
    private final LongAdder refused = new LongAdder();

    /**
     * A limit.
     *
     * @param most at least 1
     */
    public InFlightLimit(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("at least one request must be allowed, not " + most);
        }
        this.most = most;
        this.places = new Semaphore(most);
    }

    /** Takes a place if there is one, which must be left once. Does not wait. */
    public boolean enter() {
        boolean entered = places.tryAcquire();
        if (!entered) {
            refused.increment();
        }
        return entered;
    }

    /** Leaves a place. */
    public void leave() {
        places.release();
    }

    /** How many places are taken. */
    public int inFlight() {
        return most - places.availablePermits();
    }

    /** How often there was no place. */
    public long refused() {
        return refused.sum();
    }
}
