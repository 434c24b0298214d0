/**
 * WebFlux: {@link io.idem.http.webflux.ReactiveIdempotencyHandlerFilter} protects functional endpoints, and
 * {@link io.idem.http.webflux.IdempotencyContexts} finds the context of a request.
 */
@NullMarked
package io.idem.http.webflux;

import org.jspecify.annotations.NullMarked;
