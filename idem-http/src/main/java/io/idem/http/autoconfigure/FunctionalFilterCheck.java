package io.idem.http.autoconfigure;

import io.idem.http.internal.admission.FunctionalRoutes;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;

/** Refuses functional routes without the servlet filter: they take keys behind the dispatcher servlet, it does the rest. */
final class FunctionalFilterCheck implements StartCheck {

    private final FunctionalRoutes functions;
    private final Supplier<List<AbstractFilterRegistrationBean<?>>> registrations;

    FunctionalFilterCheck(FunctionalRoutes functions, Supplier<List<AbstractFilterRegistrationBean<?>>> registrations) {
        this.functions = functions;
        this.registrations = registrations;
    }

    @Override
    public void check() {
        boolean registered = registrations.get().stream()
                .anyMatch(filter -> filter.getFilter() instanceof IdempotencyServletFilter && filter.isEnabled());
        if (functions.any() && !registered) {
            throw new HttpConfigurationException(
                    "A functional route is protected by an IdempotencyHandlerFilter, but the idempotency filter, which"
                            + " holds its answers back, is not registered",
                    "Remove the application's own FilterRegistrationBean<IdempotencyFilter> or enable it; set"
                            + " idem.http.enabled=false to run without protection.");
        }
    }
}
