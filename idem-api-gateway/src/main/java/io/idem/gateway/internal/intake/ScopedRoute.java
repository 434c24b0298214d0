package io.idem.gateway.internal.intake;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A configured route whose callers need a scope.
 *
 * @param setting name of the setting that says so
 * @param path empty only in a route that the intake refuses to start with
 */
public record ScopedRoute(
        String setting, HttpMethod method, @Nullable PathPattern path, String scope) {

    /** All such routes, in the order of the settings. */
    public record All(List<ScopedRoute> routes) {}
}
