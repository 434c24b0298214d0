package io.idem.http.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.Scope;
import io.idem.http.IdempotentRoute;
import io.idem.http.RequestCheck;
import io.idem.http.Routes;
import io.idem.http.TenantResolver;
import io.idem.http.internal.admission.FingerprintRules;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Refuses to start an application with a protected route whose requests could not be protected.
 *
 * @param tenants resolver of routes that have none of their own
 * @param ownTenantResolver whether that is a bean of the application
 */
record StartChecks(
        IdemHttpProperties properties,
        Environment environment,
        LaterFilters filters,
        TenantResolver tenants,
        boolean ownTenantResolver) {

    private static final String SPRING_SECURITY = "org.springframework.security.web.SecurityFilterChain";

    /** The headers that Spring removes from a request when it applies them. */
    private static final Pattern FORWARDED =
            Pattern.compile("(?i)forwarded|x-forwarded-(for|host|port|prefix|proto|ssl)");

    /** Checks that keys have tenants, and returns the scope of routes that name none. */
    Scope scope() {
        checkTenant();
        String application = environment.getProperty("spring.application.name", "");
        if (properties.scope() == null && application.isBlank()) {
            throw noScope("neither idem.http.scope nor spring.application.name is set", null);
        }
        String name = properties.scope() != null ? properties.scope() : "http." + application;
        try {
            return new Scope(name);
        } catch (IllegalArgumentException invalid) {
            throw noScope("\"" + name + "\" does not match " + Scope.SYNTAX, invalid);
        }
    }

    private void checkTenant() {
        boolean decided = ownTenantResolver
                || properties.tenant() != null
                || ClassUtils.isPresent(SPRING_SECURITY, ClassUtils.getDefaultClassLoader());
        if (!decided) {
            throw new ConfigurationException(
                    "The tenants of the idempotency keys are not decided: nothing authenticates the requests",
                    "Set idem.http.tenant=SINGLE if the application has one tenant only, idem.http.tenant=PRINCIPAL if the"
                            + " server authenticates, or add Spring Security or a TenantResolver bean.");
        }
    }

    private static ConfigurationException noScope(String why, @Nullable Throwable cause) {
        return new ConfigurationException(
                "The idempotency filter has no usable scope: " + why,
                "Set idem.http.scope, or a spring.application.name that fits after \"http.\".",
                cause);
    }

    /** Checks the application with its protected routes, at least one. */
    void check(Routes routes) {
        checkLaterFilters(routes);
        filters.checkRegistrations();
        checkForwarded(routes);
    }

    /** Refuses rules by a header that Spring hides: every request would be alike there, and callers of two hosts one tenant. */
    private void checkForwarded(Routes routes) {
        Stream.concat(
                        properties.tenantParts().stream().map(part -> part.replaceFirst("^header:", "")),
                        routes.options().stream().flatMap(options -> FingerprintRules.headersOf(options).stream()))
                .filter(name -> FORWARDED.matcher(name).matches() && filters.hideForwarded())
                .findFirst()
                .ifPresent(hidden -> {
                    throw new ConfigurationException(
                            "idem.http.tenant-parts or a fingerprint.headers names " + hidden + ", which Spring's"
                                    + " ForwardedHeaderFilter or ForwardedHeaderTransformer hides, so that all requests would be alike in it",
                            "Name host in idem.http.tenant-parts: it is the forwarded host. For another header set"
                                    + " server.forward-headers-strategy=none.");
                });
    }

    /**
     * Refuses filters behind the idempotency filter that could refuse a caller: a replay is given before they are called. Spring Security
     * is refused on every route, filters of the application on routes that give an answer to every caller.
     */
    private void checkLaterFilters(Routes routes) {
        if (filters.of(routes.all()).stream().anyMatch(LaterFilter::isSecurityChain)) {
            throw new ConfigurationException(
                    "Spring Security stands behind the idempotency filter, which answers callers that it would refuse",
                    "Remove spring.security.filter.order, or set it below -50; give a registration of your own, or your"
                            + " WebFilterChainProxy bean, an order below -50.");
        }
        List<IdempotentRoute> open = routes.all().stream()
                .filter(route -> routes.of(route)
                        .filter(options -> options.check() == RequestCheck.NONE
                                && options.tenants().orElse(tenants).equals(TenantResolver.single()))
                        .isPresent())
                .toList();
        String refused = open.isEmpty() ? "" : laterFilters(open);
        if (!refused.isEmpty()) {
            throw new ConfigurationException(
                    "With one tenant for all callers (idem.http.tenant=SINGLE, or the route's) idem answers callers that these"
                            + " filters and interceptors would refuse, since they stand behind its own or their place is not known: "
                            + refused,
                    "Give them an order below -50, by @Order on the class or FilterRegistrationBean.setOrder; disable"
                            + " the registration of one that Spring Security's chain calls; let a filter there do what an"
                            + " interceptor does; list those that refuse no caller in idem.http.filters-behind, by the"
                            + " names above.");
        }
    }

    /** Returns the filters that may refuse callers of these routes and are not permitted, separated by commas. */
    String laterFilters(List<IdempotentRoute> routes) {
        return filters.of(routes).stream()
                .filter(filter -> filter.mayRefuse(properties.filtersBehind()))
                .map(LaterFilter::toString)
                .collect(Collectors.joining(", "));
    }
}
