package io.idem.gateway.internal.intake;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A configured route whose callers need a scope.
 *
 * @param setting the name of the setting
 * @param path null only in a route with which the intake refuses to start
 */
public record ScopedRoute(
        String setting, HttpMethod method, @Nullable PathPattern path, String scope) {

    /** The routes with a scope, in the order of the settings. */
    public record All(List<ScopedRoute> routes) {}
}
