package io.idem.http.autoconfigure;

import static java.util.Objects.requireNonNullElse;

import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.http.IdempotentRoute;
import io.idem.http.KeyRules;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.RouteSource;
import java.util.List;
import java.util.Locale;
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
        RouteOptions defaults = RouteOptions.of(scope, policy)
                .withKeyRules(
                        new KeyRules(properties.minKeyLength(), properties.maxKeyLength(), properties.keyFormat()))
                .withWaitFor(properties.waitFor())
                .withStoring(properties.store())
                .withMaxRequestBody(bytes("idem.http.max-request-body", properties.maxRequestBody()))
                .withMaxResponseBody(bytes("idem.http.max-response-body", properties.maxResponseBody()));
        return comparing(defaults, properties.fingerprint());
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
        RouteOptions refined = defaults.withScope(route.scope() == null ? defaults.scope() : new Scope(route.scope()))
                .withRequired(route.required())
                .withKeyRules(keyRules(defaults.keyRules(), route))
                .withWaitFor(requireNonNullElse(route.waitFor(), defaults.waitFor()))
                .withStoring(requireNonNullElse(route.store(), defaults.storing()))
                .withHandOff(route.handOff())
                .withInbox(route.inbox())
                .withMaxRequestBody(
                        bytes("max-request-body", orDefault(route.maxRequestBody(), defaults.maxRequestBody())))
                .withMaxResponseBody(
                        bytes("max-response-body", orDefault(route.maxResponseBody(), defaults.maxResponseBody())))
                .withPolicy(policy(defaults.policy(), route));
        return comparing(refined, route.fingerprint());
    }

    private static RouteOptions comparing(RouteOptions options, IdemHttpProperties.@Nullable Fingerprint chosen) {
        return chosen == null ? options : options.withFingerprinter(chosen.rules());
    }

    private static KeyRules keyRules(KeyRules defaults, IdemHttpProperties.Route route) {
        return new KeyRules(
                requireNonNullElse(route.minKeyLength(), defaults.minLength()),
                defaults.maxLength(),
                requireNonNullElse(route.keyFormat(), defaults.format()));
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
