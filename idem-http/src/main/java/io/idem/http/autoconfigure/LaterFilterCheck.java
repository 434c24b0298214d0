package io.idem.http.autoconfigure;

import io.idem.http.IdempotentRoute;
import io.idem.http.RequestCheck;
import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.TenantResolver;
import io.idem.internal.RefusedSettingException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Refuses filters behind the idempotency filter that could refuse a caller: a replay is given before they are called. Spring Security is
 * refused on every route, filters of the application on routes that give an answer to every caller.
 *
 * @param tenants resolver of routes that have none of their own
 * @param permitted names or classes of filters that may stand behind the idempotency filter
 */
record LaterFilterCheck(LaterFilters filters, TenantResolver tenants, List<String> permitted) implements StartCheck {

    @Override
    public void check(Routes routes) {
        if (filters.of(routes.all()).stream().anyMatch(LaterFilter::isSecurityChain)) {
            throw new RefusedSettingException(
                    "Spring Security stands behind the idempotency filter, which answers callers that it would refuse",
                    "Remove spring.security.filter.order, or set it below -50; give a registration of your own, or your"
                            + " WebFilterChainProxy bean, an order below -50.");
        }
        List<IdempotentRoute> open = routes.all().stream()
                .filter(route ->
                        routes.of(route).filter(this::answersEveryCaller).isPresent())
                .toList();
        String refused = open.isEmpty() ? "" : named(open);
        if (!refused.isEmpty()) {
            throw new RefusedSettingException(
                    "With idem.http.tenant=SINGLE the idempotency filter answers callers that these filters would"
                            + " refuse, since they stand behind it or their place is not known: " + refused,
                    "Give them an order below -50, by @Order on the class or FilterRegistrationBean.setOrder; disable"
                            + " the registration of one that Spring Security's chain calls; list those that refuse no"
                            + " caller in idem.http.filters-behind, by the names above.");
        }
    }

    private boolean answersEveryCaller(RouteOptions options) {
        boolean verified = options.verifiedBefore() || options.check() != RequestCheck.NONE;
        return !verified && options.tenants().orElse(tenants).equals(TenantResolver.single());
    }

    /** Returns the filters that may refuse callers of these routes and are not permitted, separated by commas. */
    String named(List<IdempotentRoute> routes) {
        return filters.of(routes).stream()
                .filter(filter -> filter.mayRefuse(permitted))
                .map(LaterFilter::toString)
                .collect(Collectors.joining(", "));
    }
}
