/**
 * The WebFlux filter: start with {@code IdempotencyWebFilter}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.http.internal.webflux;

import org.jspecify.annotations.NullMarked;
