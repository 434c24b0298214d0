/**
 * Idempotency keys in the HTTP calls that idempotent work makes. Start with {@link io.idem.http.outgoing.OutgoingKeyInterceptor} for
 * {@code RestClient}, and with {@link io.idem.http.outgoing.OutgoingKeyExchangeFilter} for {@code WebClient}, if clients are not made by
 * Spring Boot's builders.
 */
@NullMarked
package io.idem.http.outgoing;

import org.jspecify.annotations.NullMarked;
