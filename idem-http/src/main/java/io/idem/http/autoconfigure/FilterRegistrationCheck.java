package io.idem.http.autoconfigure;

import io.idem.http.internal.admission.FunctionalRoutes;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import io.idem.internal.RefusedSettingException;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.web.filter.ForwardedHeaderFilter;

/** Refuses filter registrations with which the protected routes of a servlet application would not be safe. */
final class FilterRegistrationCheck implements StartCheck {

    private static final EnumSet<DispatcherType> NEEDED =
            EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);

    private final IdemHttpProperties properties;
    private final FunctionalRoutes functions;
    private final Supplier<List<AbstractFilterRegistrationBean<?>>> registrations;
    private final Supplier<List<ForwardedHeaderFilter>> forwardedHeaderFilters;

    FilterRegistrationCheck(
            IdemHttpProperties properties,
            FunctionalRoutes functions,
            Supplier<List<AbstractFilterRegistrationBean<?>>> registrations,
            Supplier<List<ForwardedHeaderFilter>> forwardedHeaderFilters) {
        this.properties = properties;
        this.functions = functions;
        this.registrations = registrations;
        this.forwardedHeaderFilters = forwardedHeaderFilters;
    }

    @Override
    public void check() {
        registrations.get().forEach(FilterRegistrationCheck::checkDispatcherTypes);
        checkForwardedAddresses();
        checkFunctionalRoutes();
    }

    private static void checkDispatcherTypes(AbstractFilterRegistrationBean<?> registration) {
        if (registration.getFilter() instanceof IdempotencyServletFilter
                && !registration.determineDispatcherTypes().containsAll(NEEDED)) {
            throw new RefusedSettingException(
                    "The idempotency filter is registered for " + registration.determineDispatcherTypes()
                            + " only: answers of asynchronous handlers would be lost",
                    "Register it for the dispatcher types " + NEEDED
                            + ", or remove the registration to get that of idem.");
        }
    }

    /** Refuses to trust a proxy by an address that a filter takes from a header; see {@link ForwardedAddressCheck}. */
    private void checkForwardedAddresses() {
        if (properties.tenant() == TenantMode.PROXY_HEADER && forwarded()) {
            throw new RefusedSettingException(
                    "idem.http.tenant=PROXY_HEADER knows the proxy by the connection's address, but a"
                            + " ForwardedHeaderFilter takes addresses from forwarded headers",
                    "Remove the ForwardedHeaderFilter, or choose another idem.http.tenant.");
        }
    }

    private boolean forwarded() {
        return !forwardedHeaderFilters.get().isEmpty()
                || registrations.get().stream()
                        .anyMatch(registration -> registration.getFilter() instanceof ForwardedHeaderFilter);
    }

    /**
     * Refuses functional routes without the servlet filter: they take keys behind the dispatcher servlet, the filter does everything else.
     */
    private void checkFunctionalRoutes() {
        boolean registered = registrations.get().stream()
                .anyMatch(filter -> filter.getFilter() instanceof IdempotencyServletFilter && filter.isEnabled());
        if (functions.any() && !registered) {
            throw new RefusedSettingException(
                    "A functional route is protected by an IdempotencyHandlerFilter, but the idempotency filter, which"
                            + " holds its answers back, is not registered",
                    "Remove the application's own FilterRegistrationBean<IdempotencyServletFilter> or enable it; set"
                            + " idem.http.enabled=false to run without protection.");
        }
    }
}
