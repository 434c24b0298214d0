package io.idem.internal.redis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.redis.RedisSettings;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("servers")
class RedisConnectionTest {

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);

    /** The look does not depend on a request for health. */
    @Test
    void whoUsesAConnectionLooksAtTheServerOnceAMinute() {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own());
                RedisConnection connection =
                        new RedisConnection(RedisSettings.of(RedisURI.create(redis.uri())), nanos::get)) {
            connection.get().join();
            redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            assertThat(connection.refusal()).isEmpty();

            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            connection.get().join();

            await().until(() -> connection.refusal().isPresent());
            redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            await().until(() -> connection.refusal().isEmpty());
        }
    }
}
