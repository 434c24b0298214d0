package io.idem.test.redis;

import static io.idem.test.redis.Acquires.lease;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.RecordId;
import io.idem.StoredResult;
import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.EpollProvider;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A Redis behind a Unix socket. Needs a native transport, which is here for Linux on x86-64. */
@Tag("servers")
class UnixSocketTest {

    static boolean nativeTransport() {
        return EpollProvider.isAvailable();
    }

    @Test
    @EnabledIf("nativeTransport")
    void recordsAreKeptThroughASocket(@TempDir Path directory) {
        Path socket = directory.resolve("redis.sock");
        RecordId record = someRecord();
        try (RunningRedis redis = RedisServers.start(ServerOptions.own().with("unixsocket", socket.toString()));
                RedisIdempotencyStore store =
                        new RedisIdempotencyStore(RedisSettings.of(RedisURI.create("redis-socket://" + socket)));
                RedisIdempotencyStore throughTcp =
                        new RedisIdempotencyStore(RedisSettings.of(RedisURI.create(redis.uri())))) {
            store.complete(lease(store, record), StoredResult.NONE);

            assertThat(throughTcp.acquire(request(record))).isInstanceOf(Claim.Replay.class);
        }
    }
}
