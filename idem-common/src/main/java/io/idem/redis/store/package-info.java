/**
 * The store on Redis, with one Lua script per transition. Open {@link io.idem.redis.store.RedisIdempotencyStore} first.
 */
@NullMarked
package io.idem.redis.store;

import org.jspecify.annotations.NullMarked;
