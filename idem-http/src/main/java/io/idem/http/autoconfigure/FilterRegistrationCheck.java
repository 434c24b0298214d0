package io.idem.http.autoconfigure;

import io.idem.http.Routes;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import io.idem.internal.RefusedSettingException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.web.filter.ForwardedHeaderFilter;

/** Refuses filter registrations with which the protected routes of a servlet application would not be safe. */
record FilterRegistrationCheck(IdemHttpProperties properties, ServletLaterFilters filters) implements StartCheck {

    private static final EnumSet<DispatcherType> NEEDED =
            EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);

    @Override
    public void check(Routes routes) {
        filters.registrations().forEach(FilterRegistrationCheck::checkDispatcherTypes);
        checkForwardedAddresses();
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
        if (properties.tenant() == TenantMode.PROXY_HEADER && registered(ForwardedHeaderFilter.class)) {
            throw new RefusedSettingException(
                    "idem.http.tenant=PROXY_HEADER knows the proxy by the connection's address, but a"
                            + " ForwardedHeaderFilter takes addresses from forwarded headers",
                    "Remove the ForwardedHeaderFilter, or choose another idem.http.tenant.");
        }
    }

    private boolean registered(Class<? extends Filter> type) {
        return filters.registrations().stream().anyMatch(registration -> type.isInstance(registration.getFilter()));
    }
}
