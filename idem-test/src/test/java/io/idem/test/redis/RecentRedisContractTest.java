package io.idem.test.redis;

import io.idem.servers.junit.RequiresRecentRedis;
import org.junit.jupiter.api.Tag;

/** The contract, for Redis 7.2 or Valkey. */
@Tag("extended")
@RequiresRecentRedis
class RecentRedisContractTest extends RedisIdempotencyStoreContractTest {}
