package io.idem.gateway;

import io.idem.http.IdempotentRoute;
import io.idem.http.RouteOptions;
import java.util.function.UnaryOperator;
import org.springframework.http.HttpMethod;

/**
 * A route of the intake. Immutable.
 *
 * @param method neither GET nor another safe method
 * @param path the path as in {@code @RequestMapping}
 * @param options refine how the filter protects the route; server errors are never stored, and a request without a key,
 *     where none is required, gets a generated one
 * @param handler answers the requests
 * @param description the description in the OpenAPI document
 */
public record IntakeRoute(
        HttpMethod method,
        String path,
        UnaryOperator<RouteOptions> options,
        IntakeHandler handler,
        RouteDescription description) {

    private static final int SERVER_ERROR = 500;

    /**
     * Returns this route for the filter. Starts as a hand-off route, because its work is a confirmed publish.
     *
     * @throws IllegalArgumentException if the method is safe or the path is not a path pattern
     */
    public IdempotentRoute toIdempotentRoute() {
        return IdempotentRoute.of(method, path).with(defaults -> checked(options.apply(defaults.withHandOff(true))));
    }

    /**
     * Returns options that store no server errors, whatever the application stores: after a failed hand-off the key
     * must be released.
     */
    private static RouteOptions checked(RouteOptions chosen) {
        return chosen.withStoring(
                status -> status < SERVER_ERROR && chosen.storing().stores(status));
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
