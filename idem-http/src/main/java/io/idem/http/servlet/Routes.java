package io.idem.http.servlet;

import io.idem.Scope;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
        List<Entry> sorted = new ArrayList<>();
        routes.forEach(route -> sorted.add(new Entry(route, route.refine().apply(defaults))));
        sorted.sort(Comparator.comparing(entry -> entry.route().path()));
        this.entries = List.copyOf(sorted);
    }

    /** The scopes that these routes use. */
    public Set<Scope> scopes() {
        return entries.stream().map(entry -> entry.options().scope()).collect(Collectors.toSet());
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
