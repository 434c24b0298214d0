package io.idem.http;

import io.idem.Scope;
import io.idem.ScopePolicies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Finds the route of a request: the most specific pattern wins, among equals the one declared first. Immutable. */
public final class Routes {

    private final List<Entry> entries;

    /**
     * Creates the routes of an application.
     *
     * @param routes routes in the order of their precedence
     * @param defaults options that each route refines
     */
    public Routes(List<IdempotentRoute> routes, RouteOptions defaults) {
        this(routes, defaults, ScopePolicies.same(defaults.policy()));
    }

    /**
     * Creates the routes of an application whose scopes have policies of their own. A route's own policy values win.
     *
     * @param routes routes in the order of their precedence
     * @param defaults options that each route refines
     * @param scopes changes of the default policy for single scopes
     */
    public Routes(List<IdempotentRoute> routes, RouteOptions defaults, ScopePolicies scopes) {
        List<Entry> sorted = new ArrayList<>();
        routes.forEach(route -> sorted.add(Entry.of(route, options(route, defaults, scopes))));
        sorted.sort(Comparator.comparing(entry -> entry.route().path()));
        this.entries = List.copyOf(sorted);
        entries.forEach(entry -> requireKeysOfOthers(entry, entries));
    }

    /** Refuses a route in whose place another one counts that lacks its key or its check of the sender. */
    private static void requireKeysOfOthers(Entry entry, List<Entry> all) {
        all.subList(all.indexOf(entry) + 1, all.size()).stream()
                .filter(entry::hides)
                .findFirst()
                .ifPresent(hidden -> {
                    throw new IllegalArgumentException(hidden.route()
                            + " is declared twice, and the one that counts does not take the key from the request, or does"
                            + " not check the sender, as the other does; remove one and set everything on the other");
                });
    }

    /** The scope of a route, which the route may name itself, decides which policy it refines. */
    private static RouteOptions options(IdempotentRoute route, RouteOptions defaults, ScopePolicies scopes) {
        Scope scope = route.options(defaults).scope();
        return route.options(
                defaults.toBuilder().policy(scopes.of(scope, defaults.policy())).build());
    }

    /** Returns the routes in the order in which they are tried. */
    public List<IdempotentRoute> all() {
        return entries.stream().map(Entry::route).toList();
    }

    /** Returns the options of the routes, in the order in which these are tried. */
    public List<RouteOptions> options() {
        return entries.stream().map(Entry::options).toList();
    }

    /** Returns the options of the first of these routes with the methods and the path of another; empty if there is none. */
    public Optional<RouteOptions> of(IdempotentRoute route) {
        return entries.stream()
                .filter(entry -> entry.route().methods().equals(route.methods()))
                .filter(entry -> entry.route().path().equals(route.path()))
                .map(Entry::options)
                .findFirst();
    }

    /**
     * Returns whether every request to a handler has a route, as far as patterns tell: one with the handler's pattern, whatever its variables
     * are called, or one that matches the pattern as if it were a path.
     */
    public boolean protect(IdempotentRoute handler) {
        String pattern = handler.path().getPatternString();
        PathContainer path = PathContainer.parsePath(pattern);
        return handler.methods().stream()
                .allMatch(method -> entries.stream()
                        .anyMatch(entry -> entry.matchesInAnyCase(method, path) || entry.answers(method, pattern)));
    }

    /** Returns the options of a request's route, if it is protected; see {@link #match}. */
    public Optional<RouteOptions> find(String method, Supplier<List<PathContainer>> paths) {
        return match(method, paths).map(Match::options);
    }

    /**
     * Returns the route of a request, if it is protected. If no pattern matches as it is written, upper and lower case are compared as
     * equal, because an application may match its handlers so.
     *
     * @param paths every path within the application under which the request may find its handler, the likeliest first; asked for only if
     *     the method can be protected. Empty for a path that cannot be decoded, which matches no handler either
     */
    public Optional<Match> match(String method, Supplier<List<PathContainer>> paths) {
        HttpMethod asked = HttpMethod.valueOf(method);
        if (entries.isEmpty() || IdempotentRoute.safe(asked)) {
            return Optional.empty();
        }
        List<PathContainer> within = paths.get();
        return match(within, (entry, path) -> entry.matches(asked, path))
                .or(() -> match(within, (entry, path) -> entry.matchesInAnyCase(asked, path)));
    }

    private Optional<Match> match(List<PathContainer> paths, BiPredicate<Entry, PathContainer> matching) {
        return paths.stream()
                .flatMap(path -> entries.stream()
                        .filter(entry -> matching.test(entry, path))
                        .map(entry -> entry.matched(path)))
                .findFirst();
    }

    /**
     * The protected route that matches a request.
     *
     * @param pattern path pattern of the route
     * @param variables values of the pattern's variables, decoded, by their names
     * @param options options of the route
     */
    public record Match(String pattern, Map<String, String> variables, RouteOptions options) {

        /** Returns the pattern and the values of its variables in the order of their names: two paths with the same ones are one address. */
        public List<String> address() {
            List<String> address = new ArrayList<>(List.of(pattern));
            address.addAll(new TreeMap<>(variables).values());
            return address;
        }
    }

    private record Entry(IdempotentRoute route, RouteOptions options, PathPattern inAnyCase) {

        private static final PathPatternParser PARSER = parser();

        static Entry of(IdempotentRoute route, RouteOptions options) {
            return new Entry(route, options, PARSER.parse(route.path().getPatternString()));
        }

        private static PathPatternParser parser() {
            PathPatternParser parser = new PathPatternParser();
            parser.setCaseSensitive(false);
            return parser;
        }

        boolean matches(HttpMethod method, PathContainer path) {
            return route.methods().contains(method) && route.path().matches(path);
        }

        boolean answers(HttpMethod method, String pattern) {
            return route.methods().contains(method)
                    && withoutNames(route.path().getPatternString()).equals(withoutNames(pattern));
        }

        private static String withoutNames(String pattern) {
            return pattern.replaceAll("\\{\\w+", "{");
        }

        boolean matchesInAnyCase(HttpMethod method, PathContainer path) {
            return route.methods().contains(method) && inAnyCase.matches(path);
        }

        /** Returns the match of a path that matches in any case. */
        Match matched(PathContainer path) {
            PathPattern.PathMatchInfo found = inAnyCase.matchAndExtract(path);
            return new Match(
                    route.path().getPatternString(), found == null ? Map.of() : found.getUriVariables(), options);
        }

        /** Returns whether this route answers requests to another one, which comes behind it and would protect them better. */
        boolean hides(Entry other) {
            return options.isWeakerThan(other.options)
                    && route.path().equals(other.route.path())
                    && !Collections.disjoint(route.methods(), other.route.methods());
        }
    }
}
