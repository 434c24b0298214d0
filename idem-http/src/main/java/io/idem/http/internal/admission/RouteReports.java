package io.idem.http.internal.admission;

import io.idem.http.Header;
import io.idem.http.RouteOptions;
import java.util.Optional;

/**
 * The reports of routes: their metrics, and the retention that clients are told. Immutable.
 *
 * @param metrics receiver of the outcome of each request
 * @param retentionHeader name of the response header that tells clients, in seconds, how long the route keeps an answer; empty for none
 */
public record RouteReports(RouteMetrics metrics, Optional<String> retentionHeader) {

    /**
     * Begins to observe a request. The caller keeps the result as the request attribute {@link ObservedRequest#ATTRIBUTE}.
     *
     * @param route pattern of the route
     */
    public ObservedRequest observe(String method, String route) {
        return new ObservedRequest(metrics, method, route);
    }

    /** Returns the header that tells clients the retention of a route. */
    public Optional<Header> retention(RouteOptions options) {
        return retentionHeader.map(name ->
                new Header(name, Long.toString(options.policy().retention().toSeconds())));
    }
}
