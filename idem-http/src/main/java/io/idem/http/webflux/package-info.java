/** Contexts of requests in WebFlux; see {@link io.idem.http.webflux.IdempotencyContexts}. */
@NullMarked
package io.idem.http.webflux;

import org.jspecify.annotations.NullMarked;
