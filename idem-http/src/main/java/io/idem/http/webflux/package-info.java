/**
 * The WebFlux filter: runs each request to a protected route once for its key, with no thread blocked. The filter, the function for
 * functional endpoints and {@link io.idem.http.webflux.IdempotencyContexts} are for users, the rest is ours.
 */
@NullMarked
package io.idem.http.webflux;

import org.jspecify.annotations.NullMarked;
