package io.idem.gateway;

import io.idem.ConfigurationException;
import io.idem.http.IdempotentRoute;
import io.idem.http.RouteOptions;
import io.idem.http.StoringPolicy;
import java.util.UUID;
import java.util.function.Consumer;
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
        Consumer<RouteOptions.Builder> options,
        IntakeHandler handler,
        RouteDescription description) {

    private static final int SERVER_ERROR = 500;
    private static final String GENERATED = new UUID(0, 0).toString();

    /**
     * Returns this route for the filter. Starts as a hand-off route, because its work is a confirmed publish.
     *
     * @throws IllegalArgumentException if the method is safe or the path is not a path pattern
     */
    public IdempotentRoute toIdempotentRoute() {
        return IdempotentRoute.of(method, path)
                .with(changed -> changed.handOff(true))
                .with(options)
                .with(this::requireKeysToBeTaken)
                .with(IntakeRoute::storeNoServerErrors)
                .with(changed -> changed.bodyAsSent(true));
    }

    /** Requires that a key that is generated for a request without one satisfies the route's own rules. */
    private void requireKeysToBeTaken(RouteOptions.Builder changed) {
        RouteOptions chosen = changed.build();
        if (!chosen.required() && chosen.keyRules().objection(GENERATED).isPresent()) {
            throw new ConfigurationException(
                    "Route " + this + " has key-required=false, and its rules refuse the keys of " + GENERATED.length()
                            + " characters that are generated then",
                    "Set min-key-length and max-key-length, in idem.http or for the route, so that "
                            + GENERATED.length() + " lies between them, or key-required=true");
        }
    }

    /**
     * Stores no server errors, whatever the application stores: after a failed hand-off the key must be released. The status is tested before
     * the route's own policy is asked, because an answer is stored if its policy throws.
     */
    private static void storeNoServerErrors(RouteOptions.Builder options) {
        StoringPolicy noServerErrors = status -> status < SERVER_ERROR;
        options.storing(noServerErrors.and(options.build().storing()));
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
