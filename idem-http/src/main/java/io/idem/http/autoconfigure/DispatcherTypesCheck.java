package io.idem.http.autoconfigure;

import io.idem.http.internal.servlet.IdempotencyServletFilter;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;

/** Refuses a registration of the servlet filter that misses a dispatch in which answers are written. */
final class DispatcherTypesCheck implements StartCheck {

    private static final EnumSet<DispatcherType> NEEDED =
            EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);

    private final Supplier<List<AbstractFilterRegistrationBean<?>>> registrations;

    DispatcherTypesCheck(Supplier<List<AbstractFilterRegistrationBean<?>>> registrations) {
        this.registrations = registrations;
    }

    @Override
    public void check() {
        registrations.get().forEach(DispatcherTypesCheck::check);
    }

    private static void check(AbstractFilterRegistrationBean<?> registration) {
        if (registration.getFilter() instanceof IdempotencyServletFilter
                && !registration.determineDispatcherTypes().containsAll(NEEDED)) {
            throw new HttpConfigurationException(
                    "The idempotency filter is registered for " + registration.determineDispatcherTypes()
                            + " only: answers of asynchronous handlers would be lost",
                    "Register it for the dispatcher types " + NEEDED
                            + ", or remove the registration to get that of idem.");
        }
    }
}
