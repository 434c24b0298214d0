package io.idem.internal.redis.replication;

import io.idem.internal.redis.client.ClientSettings;
import io.idem.redis.RedisSettings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Makes the connections of the replication barrier. They never reconnect by themselves: on a new connection
 * {@code WAIT} knows nothing of the writes of the old one, and would confirm them unseen.
 */
final class BarrierClient implements AutoCloseable {

    private final RedisSettings settings;
    private final ClientResources resources;
    private final RedisClient client;

    BarrierClient(RedisSettings settings) {
        this.settings = settings;
        this.resources = ClientSettings.resources(settings);
        this.client = RedisClient.create(resources);
        Duration longest = settings.commandTimeout().plus(settings.replication().timeout());
        ClientOptions.Builder options = ClientSettings.apply(settings, ClientOptions.builder());
        client.setOptions(options.autoReconnect(false)
                .timeoutOptions(TimeoutOptions.enabled(longest))
                .build());
    }

    /** Connects without blocking, to a server or to the master that Sentinels name now. */
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connect(RedisURI uri) {
        return client.connectAsync(ByteArrayCodec.INSTANCE, ClientSettings.timed(uri, settings))
                .toCompletableFuture();
    }

    @Override
    public void close() {
        client.shutdown(0, 1, TimeUnit.SECONDS);
        resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
}
