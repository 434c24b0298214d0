/**
 * The settings of the store on Redis. Open {@link io.idem.redis.RedisSettings} first; the store itself is
 * {@link io.idem.redis.store.RedisIdempotencyStore}.
 */
@NullMarked
package io.idem.redis;

import org.jspecify.annotations.NullMarked;
