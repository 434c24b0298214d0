/** How much an intake takes: requests of a tenant in a time, and requests at once. Judged before a key is taken. */
@NullMarked
package io.idem.gateway.service.limits;

import org.jspecify.annotations.NullMarked;
