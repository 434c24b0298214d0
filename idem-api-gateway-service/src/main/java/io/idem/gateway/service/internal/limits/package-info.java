/**
 * Limits of an intake: requests of a tenant in a time, requests at once, and the time of a body. Judged before a key is taken.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.gateway.service.internal.limits;

import org.jspecify.annotations.NullMarked;
