/**
 * Functional endpoints and contexts in WebFlux. Start with {@link io.idem.http.webflux.ReactiveIdempotencyHandlerFilter}, which protects
 * functional endpoints; {@link io.idem.http.webflux.IdempotencyContexts} finds the context of a request.
 */
@NullMarked
package io.idem.http.webflux;

import org.jspecify.annotations.NullMarked;
