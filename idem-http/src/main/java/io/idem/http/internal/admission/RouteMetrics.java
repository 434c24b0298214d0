package io.idem.http.internal.admission;

import java.time.Duration;

/** Told what became of each request to a protected route. Thread-safe; must not block. */
@FunctionalInterface
public interface RouteMetrics {

    /** Tells nobody. */
    RouteMetrics NONE = (method, route, outcome, took) -> {};

    /**
     * A request was answered.
     *
     * @param method its method
     * @param route the route's pattern, never the path as sent
     * @param outcome {@code executed}: ran, and its answer is recorded; {@code released}: ran, and its key is free again;
     *     {@code replayed}; {@code unprotected}: ran without a key; or the last part of the type of the problem that was answered
     * @param took from its arrival until its outcome was settled; an answer's transfer is not part of it
     */
    void answered(String method, String route, String outcome, Duration took);
}
