package io.idem.gateway.service.internal.limits;

import static io.idem.internal.value.Arguments.require;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/** The limit of requests in flight, of all tenants together. Thread-safe. */
public final class InFlightLimit {

    private final int most;
    private final Semaphore places;
    private final LongAdder refused = new LongAdder();

    /**
     * Creates a limit.
     *
     * @param most the number of requests, at least 1
     */
    public InFlightLimit(int most) {
        require(most >= 1, "at least one request must be allowed, not " + most);
        this.most = most;
        this.places = new Semaphore(most);
    }

    /** Takes a permit if there is one, which must be returned once. Does not wait. */
    public boolean enter() {
        boolean entered = places.tryAcquire();
        if (!entered) {
            refused.increment();
        }
        return entered;
    }

    /** Returns a permit to the limit. */
    public void leave() {
        places.release();
    }

    /** Returns the number of requests in flight. */
    public int inFlight() {
        return most - places.availablePermits();
    }

    /** Returns the number of requests that got no permit. */
    public long refused() {
        return refused.sum();
    }
}
