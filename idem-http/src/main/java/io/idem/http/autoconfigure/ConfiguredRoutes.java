package io.idem.http.autoconfigure;

import static java.util.Objects.requireNonNullElse;

import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.http.IdempotentRoute;
import io.idem.http.KeyRules;
import io.idem.http.ReplayGate;
import io.idem.http.RequestCheck;
import io.idem.http.RouteOptions;
import io.idem.http.RouteSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.util.unit.DataSize;
import org.springframework.web.util.pattern.PathPatternParser;

/** Reads routes and their defaults from the settings. */
final class ConfiguredRoutes implements RouteSource {

    private final IdemHttpProperties properties;

    ConfiguredRoutes(IdemHttpProperties properties) {
        this.properties = properties;
    }

    RouteOptions defaults(Scope scope, ExecutionPolicy policy) {
        return new RouteOptions(
                scope,
                true,
                new KeyRules(properties.minKeyLength(), properties.maxKeyLength(), properties.keyFormat()),
                properties.waitFor(),
                properties.store(),
                false,
                bytes("idem.http.max-request-body", properties.maxRequestBody()),
                bytes("idem.http.max-response-body", properties.maxResponseBody()),
                RequestCheck.NONE,
                policy,
                Optional.ofNullable(properties.fingerprint()).map(IdemHttpProperties.Fingerprint::rules),
                ReplayGate.REPLAY,
                Optional.empty(),
                false);
    }

    @Override
    public List<IdempotentRoute> routes() {
        return properties.routes().stream()
                .map(route -> new IdempotentRoute(
                        methods(route),
                        PathPatternParser.defaultInstance.parse(route.path()),
                        defaults -> refine(defaults, route)))
                .toList();
    }

    private static Set<HttpMethod> methods(IdemHttpProperties.Route route) {
        return route.methods().stream()
                .map(method -> HttpMethod.valueOf(method.strip().toUpperCase(Locale.ROOT)))
                .collect(Collectors.toSet());
    }

    private static RouteOptions refine(RouteOptions defaults, IdemHttpProperties.Route route) {
        KeyRules rules = defaults.keyRules();
        return new RouteOptions(
                route.scope() == null ? defaults.scope() : new Scope(route.scope()),
                route.required(),
                new KeyRules(
                        requireNonNullElse(route.minKeyLength(), rules.minLength()),
                        rules.maxLength(),
                        requireNonNullElse(route.keyFormat(), rules.format())),
                requireNonNullElse(route.waitFor(), defaults.waitFor()),
                requireNonNullElse(route.store(), defaults.storing()),
                route.handOff(),
                bytes("max-request-body", orDefault(route.maxRequestBody(), defaults.maxRequestBody())),
                bytes("max-response-body", orDefault(route.maxResponseBody(), defaults.maxResponseBody())),
                defaults.check(),
                policy(defaults.policy(), route),
                route.fingerprint() == null
                        ? defaults.fingerprinter()
                        : Optional.of(route.fingerprint().rules()),
                defaults.replayGate(),
                defaults.tenants(),
                route.inbox());
    }

    private static ExecutionPolicy policy(ExecutionPolicy defaults, IdemHttpProperties.Route route) {
        return defaults.withRetention(requireNonNullElse(route.retention(), defaults.retention()))
                .withMaxAttempts(requireNonNullElse(route.maxAttempts(), defaults.maxAttempts()));
    }

    private static DataSize orDefault(@Nullable DataSize size, int bytes) {
        return size == null ? DataSize.ofBytes(bytes) : size;
    }

    /** Bodies are held in memory. */
    private static int bytes(String setting, DataSize size) {
        if (size.toBytes() >= Integer.MAX_VALUE) {
            throw new HttpConfigurationException(
                    "Setting " + setting + ": " + size + " does not fit into memory",
                    "Set " + setting + " to less than 2GB.");
        }
        return (int) size.toBytes();
    }
}
