/** The store on Redis: one Lua script per transition. Start with {@link io.idem.redis.store.RedisIdempotencyStore}. */
@NullMarked
package io.idem.redis.store;

import org.jspecify.annotations.NullMarked;
