package io.idem.gateway.internal.intake;

import io.idem.ConfigurationException;
import io.idem.gateway.IntakeHandler;
import io.idem.gateway.IntakeRequest;
import io.idem.gateway.IntakeRoute;
import io.idem.gateway.Middleware;
import io.idem.http.IdempotentRoute;
import io.idem.http.internal.admission.RouteSource;
import io.idem.http.internal.servlet.Refusals;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.pattern.PathPattern;

/** The routes of an intake, for the filter and for the dispatcher. Immutable. */
public final class IntakeRoutes implements RouteSource {

    private final List<IntakeRoute> routes;
    private final List<IdempotentRoute> guarded;

    /**
     * Combines the routes of an intake.
     *
     * @throws ConfigurationException if there is no route, two are the same, or one cannot be protected
     */
    public IntakeRoutes(List<IntakeRoute> routes) {
        if (routes.isEmpty()) {
            throw new ConfigurationException(
                    "The intake has no route",
                    "Add one under idem.gateway.routes or as an IntakeRouter bean, or set idem.gateway.enabled=false");
        }
        this.routes = List.copyOf(routes);
        this.guarded = routes.stream().map(IntakeRoutes::guarded).toList();
        requireDistinct();
    }

    private static IdempotentRoute guarded(IntakeRoute route) {
        try {
            return route.toIdempotentRoute();
        } catch (IllegalArgumentException invalid) {
            throw new ConfigurationException(
                    "Route " + route + " cannot be protected: " + invalid.getMessage(),
                    "Correct its method or path under idem.gateway.routes or in its IntakeRouter",
                    invalid);
        }
    }

    /** Refuses equal routes, of which one would never run. Patterns are equal whatever their variables are called. */
    private void requireDistinct() {
        Set<String> seen = new HashSet<>();
        for (int index = 0; index < routes.size(); index++) {
            IntakeRoute route = routes.get(index);
            if (!seen.add(route.method() + " " + withoutNames(guarded.get(index).path()))) {
                throw new ConfigurationException(
                        "Route " + route + " is declared twice",
                        "Give each entry of idem.gateway.routes and each route of an IntakeRouter its own method and path");
            }
        }
    }

    private static String withoutNames(PathPattern path) {
        return path.getPatternString().replaceAll("\\{(\\*?)[^/{}:]*}", "{$1}");
    }

    @Override
    public List<IdempotentRoute> routes() {
        return guarded;
    }

    /** Maps each route together with its form for the filter. */
    public <T> Stream<T> each(BiFunction<IntakeRoute, IdempotentRoute, T> made) {
        return IntStream.range(0, routes.size()).mapToObj(index -> made.apply(routes.get(index), guarded.get(index)));
    }

    /** Returns whether the intake has a route of this method and path pattern. */
    boolean has(String method, String pattern) {
        return guarded.stream()
                .anyMatch(route -> route.methods().contains(HttpMethod.valueOf(method))
                        && route.path().getPatternString().equals(pattern));
    }

    /** Returns the endpoints, the most specific path first, as the filter chooses among overlapping routes. */
    public RouterFunction<ServerResponse> endpoints(Refusals refusals) {
        Middleware failures = new HandOffFailures(refusals);
        RouterFunctions.Builder builder = RouterFunctions.route();
        for (IntakeRoute route : mostSpecificFirst()) {
            IntakeHandler handler = failures.then(route.handler());
            builder.route(
                    RequestPredicates.method(route.method()).and(RequestPredicates.path(route.path())),
                    request -> handler.handle(IntakeRequest.of(request)));
        }
        return builder.build();
    }

    private List<IntakeRoute> mostSpecificFirst() {
        return IntStream.range(0, routes.size())
                .boxed()
                .sorted(Comparator.comparing(index -> guarded.get(index).path()))
                .map(routes::get)
                .toList();
    }
}
