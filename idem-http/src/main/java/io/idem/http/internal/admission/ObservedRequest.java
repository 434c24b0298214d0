package io.idem.http.internal.admission;

import io.idem.MonotonicClock;
import io.idem.http.IncomingRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request to a protected route, from its arrival to its first outcome. For adapters, as a request's attribute. Thread-safe. */
public final class ObservedRequest {

    /** Name of the attribute. */
    public static final String ATTRIBUTE = ObservedRequest.class.getName();

    /** Ran, and its answer is recorded. */
    public static final String EXECUTED = "executed";

    /** Ran, and its key is free again. */
    public static final String RELEASED = "released";

    /** Ran without a key. */
    public static final String UNPROTECTED = "unprotected";

    static final String REPLAYED = "replayed";

    private final RouteMetrics metrics;
    private final String method;
    private final String route;
    private final long start = MonotonicClock.SYSTEM.nanoTime();
    private final AtomicBoolean ended = new AtomicBoolean();

    ObservedRequest(RouteMetrics metrics, String method, String route) {
        this.metrics = metrics;
        this.method = method;
        this.route = route;
    }

    /** Returns the observation of a request; empty if it is not one to a protected route. */
    public static Optional<ObservedRequest> of(IncomingRequest request) {
        return request.attribute(ATTRIBUTE)
                .filter(ObservedRequest.class::isInstance)
                .map(ObservedRequest.class::cast);
    }

    /** Tells the outcome, unless one was told already. */
    public void ended(String outcome) {
        if (ended.compareAndSet(false, true)) {
            metrics.answered(method, route, outcome, Duration.ofNanos(MonotonicClock.SYSTEM.nanoTime() - start));
        }
    }
}
