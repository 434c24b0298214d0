package io.idem.servers.junit;

import io.idem.servers.RedisServers;

/** The condition of {@link RequiresRecentRedis}. */
final class RecentRedisCondition extends ServerCondition {

    private static final String INSISTING = "IDEM_REQUIRE_RECENT_REDIS";

    RecentRedisCondition() {
        super(
                "Redis 7.2 or Valkey",
                "let IDEM_SERVERS_REDIS_PROGRAM name its program",
                INSISTING,
                () -> RedisServers.ownAtLeast(7, 2),
                () -> isSet(INSISTING));
    }
}
