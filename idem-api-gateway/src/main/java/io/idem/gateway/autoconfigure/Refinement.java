package io.idem.gateway.autoconfigure;

import io.idem.http.RouteOptions;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Options on their way from the application's to a route's, one setting after the other. */
record Refinement(RouteOptions options, SettingName route) {

    /** Changes the options if the setting has a value. */
    <T> Refinement by(String setting, @Nullable T value, BiFunction<RouteOptions, T, RouteOptions> change) {
        return value == null
                ? this
                : new Refinement(route.dot(setting).checked(() -> change.apply(options, value)), route);
    }
}
