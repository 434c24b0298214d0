/**
 * Limits of an intake: requests of a tenant over time, and requests in flight. Applied before a key is acquired. Open
 * {@link io.idem.gateway.service.limits.RateLimit} first.
 */
@NullMarked
package io.idem.gateway.service.limits;

import org.jspecify.annotations.NullMarked;
