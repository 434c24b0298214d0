package io.idem.http.autoconfigure;

import static java.util.Objects.requireNonNullElse;

import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.InboxTransaction;
import io.idem.Scope;
import io.idem.http.IdempotentRoute;
import io.idem.http.KeyRules;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.RouteSource;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.util.unit.DataSize;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The routes and the default options in the settings.
 *
 * @param inboxImplied as in {@link RouteInboxes#implied}
 */
record ConfiguredRoutes(IdemHttpProperties properties, Predicate<InboxTransaction> inboxImplied)
        implements RouteSource {

    RouteOptions defaults(Scope scope, ExecutionPolicy policy) {
        RouteOptions.Builder defaults = RouteOptions.builder(scope, policy)
                .keyRules(new KeyRules(properties.minKeyLength(), properties.maxKeyLength(), properties.keyFormat()))
                .waitFor(properties.waitFor())
                .inProgressStatus(properties.inProgressStatus())
                .storing(properties.store())
                .maxRequestBody(bytes("idem.http.max-request-body", properties.maxRequestBody()))
                .maxResponseBody(bytes("idem.http.max-response-body", properties.maxResponseBody()));
        set(properties.fingerprint(), chosen -> defaults.fingerprinter(chosen.rules()));
        return defaults.build();
    }

    @Override
    public List<IdempotentRoute> routes() {
        return IntStream.range(0, properties.routes().size())
                .mapToObj(number -> route(properties.routes().get(number), "idem.http.routes[" + number + "]"))
                .toList();
    }

    private IdempotentRoute route(IdemHttpProperties.Route route, String setting) {
        return new IdempotentRoute(
                methods(route),
                PathPatternParser.defaultInstance.parse(route.path()),
                options -> checked(options, route, setting));
    }

    /** Refines the options and checks them, so that a complaint can name the setting. */
    private void checked(RouteOptions.Builder options, IdemHttpProperties.Route route, String setting) {
        try {
            refine(options, route);
            var unused = options.build();
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(setting + ": " + invalid.getMessage(), invalid);
        }
    }

    private static Set<HttpMethod> methods(IdemHttpProperties.Route route) {
        return route.methods().stream()
                .map(method -> HttpMethod.valueOf(method.strip().toUpperCase(Locale.ROOT)))
                .collect(Collectors.toSet());
    }

    private void refine(RouteOptions.Builder options, IdemHttpProperties.Route route) {
        options.required(route.required())
                .handOff(route.handOff())
                .inbox(route.inbox())
                .inboxTransaction(route.inboxTransaction())
                .inboxIf(inboxImplied)
                .keyRules(rules -> keyRules(rules, route))
                .policy(policy -> policy(policy, route));
        RouteKeys.apply(options, route);
        set(route.scope(), scope -> options.scope(new Scope(scope)));
        set(route.waitFor(), options::waitFor);
        set(route.inProgressStatus(), options::inProgressStatus);
        set(route.store(), options::storing);
        set(route.maxRequestBody(), size -> options.maxRequestBody(bytes("max-request-body", size)));
        set(route.maxResponseBody(), size -> options.maxResponseBody(bytes("max-response-body", size)));
        set(route.fingerprint(), chosen -> options.fingerprinter(chosen.rules()));
    }

    private static <T> void set(@Nullable T value, Consumer<T> setter) {
        if (value != null) {
            setter.accept(value);
        }
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

    /** Returns the size in bytes. Bodies are held in memory, so a larger one is refused. */
    private static int bytes(String setting, DataSize size) {
        if (size.toBytes() >= Integer.MAX_VALUE) {
            throw new ConfigurationException(
                    "Setting " + setting + ": " + size + " does not fit into memory",
                    "Set " + setting + " to less than 2GB.");
        }
        return (int) size.toBytes();
    }
}
