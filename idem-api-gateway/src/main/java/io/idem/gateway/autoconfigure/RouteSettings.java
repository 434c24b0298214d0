package io.idem.gateway.autoconfigure;

import static io.idem.internal.value.Arguments.require;

import io.idem.gateway.internal.intake.JsonObjectCheck;
import io.idem.gateway.internal.intake.SchemaChecks;
import io.idem.http.KeyRules;
import io.idem.http.RequestCheck;
import io.idem.http.RouteOptions;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.util.unit.DataSize;

/** The changes that a configured route makes to the application's options. */
record RouteSettings(
        IdemGatewayProperties.Route route,
        SettingName name,
        @Nullable SchemaChecks schemas,
        @Nullable String issuer) {

    /** Returns the changes. Reads the schema now; the changes throw for values that do not fit the application's. */
    Consumer<RouteOptions.Builder> options() {
        RequestCheck check = check();
        RouteTenant tenant = new RouteTenant(route.tenant(), name.dot("tenant"));
        tenant.check();
        return options -> {
            options.check(check).required(route.keyRequired());
            refine(options);
            tenant.resolver(issuer).ifPresent(options::tenants);
        };
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
                    "Add idem-api-gateway-service, or remove the setting");
        }
        if (!schema.startsWith("classpath:") && !schema.startsWith("file:")) {
            throw setting.invalid("names neither a classpath: nor a file: resource", "Name one; none is fetched");
        }
        return setting.checked(() -> checks.of(new DefaultResourceLoader().getResource(schema)));
    }

    private void refine(RouteOptions.Builder options) {
        set(options, "retention", route.retention(), RouteSettings::retention);
        set(options, "wait-for", route.waitFor(), RouteSettings::waitFor);
        set(options, "min-key-length", route.minKeyLength(), RouteSettings::minKeyLength);
        set(options, "key-format", route.keyFormat(), RouteSettings::keyFormat);
        set(options, "max-request-body", route.maxRequestBody(), RouteSettings::maxRequestBody);
    }

    /** Changes the options if the setting has a value, and builds them to find out whether they can have it. */
    private <T> void set(
            RouteOptions.Builder options,
            String setting,
            @Nullable T value,
            BiConsumer<RouteOptions.Builder, T> change) {
        if (value != null) {
            var unused = name.dot(setting).checked(() -> {
                change.accept(options, value);
                return options.build();
            });
        }
    }

    private static void retention(RouteOptions.Builder options, Duration retention) {
        options.policy(policy -> policy.withRetention(retention));
    }

    /** Requires a wait of at most the lease, within which every hand-off ends. */
    private static void waitFor(RouteOptions.Builder options, Duration wait) {
        Duration lease = options.build().policy().lease();
        require(wait.compareTo(lease) <= 0, wait + " is longer than the lease " + lease);
        options.waitFor(wait);
    }

    private static void minKeyLength(RouteOptions.Builder options, int length) {
        options.keyRules(rules -> new KeyRules(length, rules.maxLength(), rules.format()));
    }

    private static void keyFormat(RouteOptions.Builder options, KeyRules.Format format) {
        options.keyRules(rules -> new KeyRules(rules.minLength(), rules.maxLength(), format));
    }

    /** Requires a size that fits into memory, where bodies are kept. */
    private static void maxRequestBody(RouteOptions.Builder options, DataSize size) {
        if (size.toBytes() >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException(size + " does not fit into memory; use less than 2GB");
        }
        options.maxRequestBody((int) size.toBytes());
    }
}
