package io.idem.gateway;

import io.idem.Scope;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The consumers whose outcome clients of a route may wait for with {@code Prefer: wait}. Configured routes use the
 * setting {@code await}; for a coded route declare a bean of this type. Its handler must answer synchronously.
 * Immutable.
 *
 * @param method the method of the route
 * @param path the path of the route, as in its declaration
 * @param consumers the scopes of the consumers; at least one
 * @param retriesReopen whether a retry with the same key reopens an operation that one of them has rejected
 */
public record AwaitedOutcome(HttpMethod method, PathPattern path, Set<Scope> consumers, boolean retriesReopen) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if there is no consumer
     */
    public AwaitedOutcome {
        consumers = Set.copyOf(consumers);
        if (consumers.isEmpty()) {
            throw new IllegalArgumentException("no consumer is awaited; name the scope of at least one consumer");
        }
    }

    /**
     * Returns the awaited outcome of a POST route, whose rejections are final.
     *
     * @param consumers the scopes of the consumers
     */
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
