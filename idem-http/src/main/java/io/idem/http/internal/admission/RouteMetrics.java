package io.idem.http.internal.admission;

import java.time.Duration;

/** Receives the outcome of each request to a protected route. Thread-safe; must not block. */
@FunctionalInterface
public interface RouteMetrics {

    /** Metrics that record nothing. */
    RouteMetrics NONE = (method, route, outcome, took) -> {};

    /**
     * Records the outcome of a request.
     *
     * @param method HTTP method of the request
     * @param route pattern of the route, never the path as sent
     * @param outcome {@code executed}: ran, and its answer is recorded; {@code released}: ran, and its key was released;
     *     {@code replayed}; {@code unprotected}: ran without a key; or the last part of the type of the problem that was answered
     * @param took time from its arrival until its outcome was known, without the transfer of the answer
     */
    void answered(String method, String route, String outcome, Duration took);
}
