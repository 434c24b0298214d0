package io.idem.http.internal.admission;

import io.idem.http.IdempotentRoute;
import java.util.List;

/** A source of protected routes, read once when all singletons exist. */
@FunctionalInterface
public interface RouteSource {

    /** Returns the routes of this source. */
    List<IdempotentRoute> routes();

    /** Returns the handler methods that this source knows, protected or not. */
    default List<MappedHandler> handlers() {
        return List.of();
    }
}
