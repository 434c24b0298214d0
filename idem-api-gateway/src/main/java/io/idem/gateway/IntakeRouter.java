package io.idem.gateway;

import io.idem.http.RouteOptions;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.springframework.http.HttpMethod;

/**
 * Routes in code; declare one or more as beans. Every route is protected by the idempotency filter. Immutable: each method answers a
 * new router.
 *
 * <pre>
 * &#64;Bean
 * IntakeRouter payments(HandOff handOff) {
 *     return IntakeRouter.create()
 *             .use(audit)
 *             .POST("/v1/payments", handOff.to(Destination.exchange("payments", "payment.requested"))
 *                     .then(request -&gt; ServerResponse.accepted().body(Map.of("id", request.id()))));
 * }
 * </pre>
 */
public final class IntakeRouter {

    private static final Middleware PASS = (request, next) -> next.handle(request);

    private final Middleware outer;
    private final List<IntakeRoute> routes;

    private IntakeRouter(Middleware outer, List<IntakeRoute> routes) {
        this.outer = outer;
        this.routes = routes;
    }

    /** Returns a router without routes. */
    public static IntakeRouter create() {
        return new IntakeRouter(PASS, List.of());
    }

    /**
     * Returns a copy with a middleware around the routes that are added from now on, inside the middlewares added
     * before.
     */
    public IntakeRouter use(Middleware middleware) {
        return new IntakeRouter(outer.around(middleware), routes);
    }

    /** Returns a copy with a POST route. */
    @SuppressWarnings("MemberName") // as in Spring's functional endpoints
    public IntakeRouter POST(String path, IntakeHandler handler) {
        return route(HttpMethod.POST, path, options -> {}, handler);
    }

    /** Returns a copy with a POST route that the filter protects with other options. */
    @SuppressWarnings("MemberName") // as in Spring's functional endpoints
    public IntakeRouter POST(String path, Consumer<RouteOptions.Builder> options, IntakeHandler handler) {
        return route(HttpMethod.POST, path, options, handler);
    }

    /** Returns a copy with a route of any method that is not safe. */
    public IntakeRouter route(
            HttpMethod method, String path, Consumer<RouteOptions.Builder> options, IntakeHandler handler) {
        IntakeRoute added = new IntakeRoute(method, path, options, outer.then(handler), RouteDescription.NONE);
        return new IntakeRouter(
                outer, Stream.concat(routes.stream(), Stream.of(added)).toList());
    }

    /**
     * Returns a copy with another description of the route that was added last.
     *
     * @throws IllegalStateException if there is none
     */
    public IntakeRouter describe(UnaryOperator<RouteDescription> description) {
        if (routes.isEmpty()) {
            throw new IllegalStateException("There is no route to describe; call describe after the route's POST");
        }
        IntakeRoute last = routes.get(routes.size() - 1);
        IntakeRoute described = new IntakeRoute(
                last.method(), last.path(), last.options(), last.handler(), description.apply(last.description()));
        return new IntakeRouter(
                outer,
                Stream.concat(routes.stream().limit(routes.size() - 1L), Stream.of(described))
                        .toList());
    }

    /** Returns the routes, in the order in which they were added. */
    public List<IntakeRoute> routes() {
        return routes;
    }
}
