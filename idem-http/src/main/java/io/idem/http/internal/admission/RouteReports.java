package io.idem.http.internal.admission;

import io.idem.http.Header;
import io.idem.http.RouteOptions;
import java.util.Optional;

/**
 * What routes tell of themselves. Immutable.
 *
 * @param metrics told what became of each request
 * @param retentionHeader name of the response header that tells clients, in seconds, how long the route keeps an answer; empty for none
 */
public record RouteReports(RouteMetrics metrics, Optional<String> retentionHeader) {

    /** Nothing, to nobody. */
    public static final RouteReports NONE = new RouteReports(RouteMetrics.NONE, Optional.empty());

    /**
     * Begins to observe a request; to be kept as its attribute {@link ObservedRequest#ATTRIBUTE}.
     *
     * @param route the route's pattern
     */
    public ObservedRequest observe(String method, String route) {
        return new ObservedRequest(metrics, method, route);
    }

    /** The header that publishes a route's retention. */
    public Optional<Header> retention(RouteOptions options) {
        return retentionHeader.map(name ->
                new Header(name, Long.toString(options.policy().retention().toSeconds())));
    }
}
