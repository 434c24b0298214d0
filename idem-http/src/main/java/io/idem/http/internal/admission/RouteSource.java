package io.idem.http.internal.admission;

import io.idem.http.IdempotentRoute;
import java.util.List;

/** A source of protected routes, read once when all singletons exist. */
@FunctionalInterface
public interface RouteSource {

    /** Returns the routes of this source. */
    List<IdempotentRoute> routes();
}
