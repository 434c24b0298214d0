package io.idem.gateway;

import io.idem.Scope;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Whose outcome clients of a route may wait for with {@code Prefer: wait}. Configured routes say it with {@code await}; beside a coded one it
 * is a bean. Its handler must answer synchronously. Immutable.
 *
 * @param method of the route
 * @param path of the route, as in its declaration
 * @param consumers their scopes; at least one
 * @param retriesReopen whether a retry with the same key opens an operation again that one of them has rejected
 */
public record AwaitedOutcome(HttpMethod method, PathPattern path, Set<Scope> consumers, boolean retriesReopen) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if nobody is waited for
     */
    public AwaitedOutcome {
        consumers = Set.copyOf(consumers);
        if (consumers.isEmpty()) {
            throw new IllegalArgumentException("nobody is waited for; name the scope of at least one consumer");
        }
    }

    /** The outcome of a POST route at consumers of these scopes, whose rejections are final. */
    public static AwaitedOutcome of(String path, String... consumers) {
        return new AwaitedOutcome(
                HttpMethod.POST,
                PathPatternParser.defaultInstance.parse(path),
                Arrays.stream(consumers).map(Scope::new).collect(Collectors.toSet()),
                false);
    }

    public boolean isOf(String asked, String pattern) {
        return method.matches(asked) && path.getPatternString().equals(pattern);
    }
}
