/**
 * The Lettuce connection to Redis, to one server or a cluster. Open {@code LettuceClient} first.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.internal.redis.client;

import org.jspecify.annotations.NullMarked;
