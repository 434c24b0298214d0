package io.idem.http;

import static io.idem.internal.value.Arguments.require;

import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * A route whose requests are protected by their idempotency key. Declare beans of this type for functional endpoints, or configure
 * {@code idem.http.routes}. Immutable.
 *
 * @param methods the methods, at least one; none of GET, HEAD, OPTIONS and TRACE, which have no effect to protect
 * @param path the path pattern, as in {@code @RequestMapping} without context path and servlet path
 * @param refine change of the application's defaults into the options of the route
 */
public record IdempotentRoute(Set<HttpMethod> methods, PathPattern path, Consumer<RouteOptions.Builder> refine) {

    private static final Set<HttpMethod> SAFE =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

    /** Patterns with a wildcard, which is none in the regular expression of a variable. */
    private static final Pattern WILDCARD = Pattern.compile("([^{}]|\\{([^{}]|\\{[^{}]*})*})*?[*?].*");

    /**
     * Creates a route.
     *
     * @throws IllegalArgumentException if there is none, or a safe one
     */
    public IdempotentRoute {
        methods = Set.copyOf(methods);
        String pattern = path.getPatternString();
        require(
                !pattern.contains("${"),
                "Route " + path + " has a placeholder that nothing replaces; set its property");
        if (!pattern.startsWith("/")) {
            path = PathPatternParser.defaultInstance.parse("/" + pattern);
        }
        require(!methods.isEmpty(), "Route " + path + " names no method; name at least one, for example POST");
        for (HttpMethod method : methods) {
            require(
                    !SAFE.contains(method),
                    "Route " + path + " names " + method
                            + ", which has no effect to protect; name POST, PATCH, PUT or DELETE");
        }
    }

    /** Creates a route with the application's defaults. */
    public static IdempotentRoute of(HttpMethod method, String path) {
        return new IdempotentRoute(Set.of(method), PathPatternParser.defaultInstance.parse(path), options -> {});
    }

    /** Creates a POST route with the application's defaults. */
    public static IdempotentRoute post(String path) {
        return of(HttpMethod.POST, path);
    }

    /** Returns this route with its options changed further. */
    public IdempotentRoute with(Consumer<RouteOptions.Builder> change) {
        return new IdempotentRoute(methods, path, refine.andThen(change));
    }

    /**
     * Returns this route for other methods.
     *
     * @throws IllegalArgumentException if there is none, or a safe one
     */
    public IdempotentRoute onMethods(Set<HttpMethod> wanted) {
        return new IdempotentRoute(wanted, path, refine);
    }

    /** Returns the methods, in the order of their names, and the path. */
    @Override
    public String toString() {
        return methods.stream().map(HttpMethod::name).sorted().collect(Collectors.joining(", ")) + " " + path;
    }

    RouteOptions options(RouteOptions defaults) {
        RouteOptions.Builder options = defaults.toBuilder();
        refine.accept(options);
        RouteOptions built = options.build();
        boolean named = !WILDCARD.matcher(path.getPatternString()).matches();
        require(
                built.keySource().isEmpty() || named,
                path + " takes keys from requests, and an event at two addresses of its wildcard would run once;"
                        + " name what the wildcard matches, for example /hook/{shop} or /hook/{*rest}");
        return built;
    }

    static boolean safe(HttpMethod method) {
        return SAFE.contains(method);
    }
}
