package io.idem.gateway.autoconfigure;

import io.idem.gateway.internal.intake.JsonObjectCheck;
import io.idem.gateway.internal.intake.SchemaChecks;
import io.idem.http.KeyRules;
import io.idem.http.RequestCheck;
import io.idem.http.RouteOptions;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.util.unit.DataSize;

/** The changes that a configured route makes to the application's options. */
final class RouteSettings {

    private final IdemGatewayProperties.Route route;
    private final SettingName name;
    private final @Nullable SchemaChecks schemas;

    RouteSettings(IdemGatewayProperties.Route route, SettingName name, @Nullable SchemaChecks schemas) {
        this.route = route;
        this.name = name;
        this.schemas = schemas;
    }

    /** Returns the changes. Reads the schema now; the changes throw for values that do not fit the application's. */
    UnaryOperator<RouteOptions> options() {
        RequestCheck check = check();
        RouteTenant tenant = new RouteTenant(route.tenant(), name.dot("tenant"));
        tenant.check();
        return defaults -> tenant.refine(refine(defaults.withCheck(check)));
    }

    private RequestCheck check() {
        String schema = route.schema();
        if (schema == null) {
            return new JsonObjectCheck();
        }
        SettingName setting = name.dot("schema");
        SchemaChecks checks = schemas;
        if (checks == null) {
            throw setting.invalid(
                    "needs idem-api-gateway-service, which is not on the class path",
                    "Add idem-api-gateway-service, or remove the setting",
                    null);
        }
        if (!schema.startsWith("classpath:") && !schema.startsWith("file:")) {
            throw setting.invalid("names neither a classpath: nor a file: resource", "Name one; none is fetched", null);
        }
        return setting.checked(() -> checks.of(new DefaultResourceLoader().getResource(schema)));
    }

    private RouteOptions refine(RouteOptions defaults) {
        return new Refinement(defaults.withRequired(route.keyRequired()), name)
                .by("retention", route.retention(), RouteSettings::withRetention)
                .by("wait-for", route.waitFor(), RouteSettings::withWaitFor)
                .by("min-key-length", route.minKeyLength(), RouteSettings::withMinKeyLength)
                .by("key-format", route.keyFormat(), RouteSettings::withKeyFormat)
                .by("max-request-body", route.maxRequestBody(), RouteSettings::withMaxRequestBody)
                .options();
    }

    private static RouteOptions withRetention(RouteOptions options, Duration retention) {
        return options.withPolicy(options.policy().withRetention(retention));
    }

    /** Requires a wait of at most the lease, within which every hand-off ends. */
    private static RouteOptions withWaitFor(RouteOptions options, Duration wait) {
        Duration lease = options.policy().lease();
        if (wait.compareTo(lease) > 0) {
            throw new IllegalArgumentException(wait + " is longer than the lease " + lease);
        }
        return options.withWaitFor(wait);
    }

    private static RouteOptions withMinKeyLength(RouteOptions options, int length) {
        KeyRules rules = options.keyRules();
        return options.withKeyRules(new KeyRules(length, rules.maxLength(), rules.format()));
    }

    private static RouteOptions withKeyFormat(RouteOptions options, KeyRules.Format format) {
        KeyRules rules = options.keyRules();
        return options.withKeyRules(new KeyRules(rules.minLength(), rules.maxLength(), format));
    }

    /** Requires a size that fits into memory, where bodies are kept. */
    private static RouteOptions withMaxRequestBody(RouteOptions options, DataSize size) {
        if (size.toBytes() >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException(size + " does not fit into memory; use less than 2GB");
        }
        return options.withMaxRequestBody((int) size.toBytes());
    }

    /** Options that are changed from the application's to a route's, one setting after the other. */
    private record Refinement(RouteOptions options, SettingName route) {

        /** Changes the options if the setting has a value. */
        <T> Refinement by(String setting, @Nullable T value, BiFunction<RouteOptions, T, RouteOptions> change) {
            return value == null
                    ? this
                    : new Refinement(route.dot(setting).checked(() -> change.apply(options, value)), route);
        }
    }
}
