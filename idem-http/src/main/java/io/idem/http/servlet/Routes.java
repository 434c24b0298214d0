package io.idem.http.servlet;

import io.idem.Scope;
import io.idem.ScopePolicies;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.ServletRequestPathUtils;

/** Finds the route of a request: the most specific pattern wins, among equals the one declared first. Immutable. */
public final class Routes {

    private final List<Entry> entries;

    /**
     * The routes of an application.
     *
     * @param routes in the order of their precedence
     * @param defaults what each route refines
     */
    public Routes(List<IdempotentRoute> routes, RouteOptions defaults) {
        this(routes, defaults, ScopePolicies.same(defaults.policy()));
    }

    /**
     * The routes of an application whose scopes have policies of their own. What a route says of its policy wins.
     *
     * @param routes in the order of their precedence
     * @param defaults what each route refines
     * @param scopes what single scopes change of the defaults' policy
     */
    public Routes(List<IdempotentRoute> routes, RouteOptions defaults, ScopePolicies scopes) {
        List<Entry> sorted = new ArrayList<>();
        routes.forEach(route -> sorted.add(new Entry(route, options(route, defaults, scopes))));
        sorted.sort(Comparator.comparing(entry -> entry.route().path()));
        this.entries = List.copyOf(sorted);
    }

    /** A route says itself which scope's policy it refines. */
    private static RouteOptions options(IdempotentRoute route, RouteOptions defaults, ScopePolicies scopes) {
        Scope scope = route.refine().apply(defaults).scope();
        return route.refine().apply(defaults.withPolicy(scopes.of(scope, defaults.policy())));
    }

    /** The policies that these routes work by. */
    public List<RouteOptions> options() {
        return entries.stream().map(Entry::options).toList();
    }

    Optional<RouteOptions> find(HttpServletRequest request) {
        HttpMethod method = HttpMethod.valueOf(request.getMethod());
        if (entries.isEmpty() || IdempotentRoute.safe(method)) {
            return Optional.empty();
        }
        return pathOf(request)
                .flatMap(path -> entries.stream()
                        .filter(entry -> entry.matches(method, path))
                        .map(Entry::options)
                        .findFirst());
    }

    /** Empty for a path that cannot be decoded: no handler will match it either. */
    private static Optional<PathContainer> pathOf(HttpServletRequest request) {
        try {
            return Optional.of(ServletRequestPathUtils.parse(request).pathWithinApplication());
        } catch (IllegalArgumentException undecodable) {
            return Optional.empty();
        }
    }

    private record Entry(IdempotentRoute route, RouteOptions options) {

        boolean matches(HttpMethod method, PathContainer path) {
            return route.methods().contains(method) && route.path().matches(path);
        }
    }
}
