package io.idem.http.autoconfigure;

import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.web.filter.ForwardedHeaderFilter;

/** The same for an application that registers the filter of forwarded headers by itself; see {@link ForwardedAddressCheck}. */
final class ForwardedFilterCheck implements StartCheck {

    private final IdemHttpProperties properties;
    private final Supplier<List<AbstractFilterRegistrationBean<?>>> registrations;
    private final Supplier<List<ForwardedHeaderFilter>> filters;

    ForwardedFilterCheck(
            IdemHttpProperties properties,
            Supplier<List<AbstractFilterRegistrationBean<?>>> registrations,
            Supplier<List<ForwardedHeaderFilter>> filters) {
        this.properties = properties;
        this.registrations = registrations;
        this.filters = filters;
    }

    @Override
    public void check() {
        if (properties.tenant() == TenantMode.PROXY_HEADER && forwarded()) {
            throw new HttpConfigurationException(
                    "idem.http.tenant=PROXY_HEADER knows the proxy by the connection's address, but a"
                            + " ForwardedHeaderFilter takes addresses from forwarded headers",
                    "Remove the ForwardedHeaderFilter, or choose another idem.http.tenant.");
        }
    }

    private boolean forwarded() {
        return !filters.get().isEmpty()
                || registrations.get().stream()
                        .anyMatch(registration -> registration.getFilter() instanceof ForwardedHeaderFilter);
    }
}
