package io.idem.http;

import java.util.List;

/** Knows protected routes. Asked once, when all singletons exist. */
@FunctionalInterface
public interface RouteSource {

    /** The routes. */
    List<IdempotentRoute> routes();
}
