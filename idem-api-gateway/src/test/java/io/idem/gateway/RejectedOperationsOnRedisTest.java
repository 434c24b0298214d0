package io.idem.gateway;

import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.SharedServers;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.Tag;

@Tag("servers")
class RejectedOperationsOnRedisTest extends RejectedOperationsContract {

    @Override
    IdempotencyStore store() {
        return new RedisIdempotencyStore(
                RedisSettings.of(RedisURI.create(SharedServers.redis().uri())));
    }
}
