/**
 * The connection to Redis, alone or as a cluster, by Lettuce: start with {@code LettuceClient}.
 *
 * <p>Internal: shared by packages of idem, not for applications; may change with every version.
 */
@NullMarked
package io.idem.internal.redis.client;

import org.jspecify.annotations.NullMarked;
