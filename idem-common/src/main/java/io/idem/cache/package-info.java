/** A near cache of settled records in front of any store. Open {@link io.idem.cache.CachingIdempotencyStore} first. */
@NullMarked
package io.idem.cache;

import org.jspecify.annotations.NullMarked;
