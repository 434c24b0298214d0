package io.idem.http.autoconfigure;

import io.idem.http.IdempotentRoute;
import java.util.List;

/** The filters that the server calls behind the idempotency filter. */
interface LaterFilters {

    /** Returns the filters that may be called for requests to one of these routes, in the order in which they are called where it is known. */
    List<LaterFilter> of(List<IdempotentRoute> routes);

    /** Returns whether a part of Spring applies forwarded headers and hides them from everything behind it. */
    boolean hideForwarded();

    /**
     * Checks how the idempotency filter is registered.
     *
     * @throws ConfigurationException if answers would be lost
     */
    default void checkRegistrations() {}
}
