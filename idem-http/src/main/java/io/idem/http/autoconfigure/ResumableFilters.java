package io.idem.http.autoconfigure;

import static java.util.Objects.requireNonNull;

import jakarta.servlet.DispatcherType;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.function.SingletonSupplier;

/** Looks for filters of the application that would not be around a request that has waited: it runs in a dispatch of type ASYNC. */
final class ResumableFilters {

    private static final Logger LOG = LoggerFactory.getLogger(ResumableFilters.class);

    private ResumableFilters() {}

    /** Returns a supplier that looks once, when it is asked first, and says whether there is none. */
    static BooleanSupplier in(ServletLaterFilters filters) {
        return SingletonSupplier.of(() -> noneMissing(filters))::obtain;
    }

    /** Takes the filters of Spring for what they are: made for such dispatches. */
    private static boolean noneMissing(ServletLaterFilters filters) {
        List<String> missing = filters.registrations().stream()
                .filter(filter -> onRequestsOnly(filter.determineDispatcherTypes()))
                .map(filter -> requireNonNull(filter.getFilter()).getClass().getName())
                .filter(name -> !name.startsWith("org.springframework."))
                .toList();
        if (!missing.isEmpty()) {
            LOG.warn(
                    "Requests that wait for a running one hold a thread each, because the dispatcher type ASYNC, in which they run if the"
                            + " other one fails, passes by the filters {}; register these for REQUEST and ASYNC",
                    missing);
        }
        return missing.isEmpty();
    }

    private static boolean onRequestsOnly(Set<DispatcherType> types) {
        return types.contains(DispatcherType.REQUEST) && !types.contains(DispatcherType.ASYNC);
    }
}
