/**
 * Idempotency of HTTP requests, for servlets and WebFlux alike: protected routes and their options, tenants, rules for keys, stored answers
 * and problem types. Start with {@link io.idem.Idempotent} for annotated handlers, and with {@link io.idem.http.IdempotentRoute} for
 * routes declared in code.
 */
@NullMarked
package io.idem.http;

import org.jspecify.annotations.NullMarked;
