package io.idem.http.internal.admission;

import io.idem.http.IdempotentRoute;
import java.util.List;

/** Knows protected routes. Asked once, when all singletons exist. */
@FunctionalInterface
public interface RouteSource {

    /** The routes. */
    List<IdempotentRoute> routes();
}
