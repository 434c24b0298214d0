package io.idem.autoconfigure;

import io.idem.redis.store.RedisIdempotencyStore;

/** Counts what Redis evicts. */
@FunctionalInterface
interface EvictionMeter {

    void register(RedisIdempotencyStore redis);
}
