package io.idem.gateway;

import io.idem.http.IdempotentRoute;
import io.idem.http.RouteOptions;
import io.idem.http.StoringPolicy;
import java.util.function.Consumer;
import org.springframework.http.HttpMethod;

/**
 * A route of the intake. Immutable.
 *
 * @param method neither GET nor another safe one
 * @param path as in {@code @RequestMapping}
 * @param options refine how the filter protects it; server errors are never stored, and a request without a key, where none is
 *     required, gets one of its own
 * @param handler answers
 * @param description what it says of itself
 */
public record IntakeRoute(
        HttpMethod method,
        String path,
        Consumer<RouteOptions.Builder> options,
        IntakeHandler handler,
        RouteDescription description) {

    private static final int SERVER_ERROR = 500;

    /**
     * The same as the filter needs it. It starts as a hand-off route: its work is a confirmed publish.
     *
     * @throws IllegalArgumentException if the method is a safe one or the path no path pattern
     */
    public IdempotentRoute toIdempotentRoute() {
        return IdempotentRoute.of(method, path)
                .with(changed -> changed.handOff(true))
                .with(options)
                .with(IntakeRoute::storeNoServerErrors);
    }

    /** Whatever the application stores: after a failed hand-off the key must be free. */
    private static void storeNoServerErrors(RouteOptions.Builder options) {
        StoringPolicy chosen = options.build().storing();
        options.storing(status -> status < SERVER_ERROR && chosen.stores(status));
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
