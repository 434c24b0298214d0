package io.idem.internal.redis.client;

import io.idem.redis.RedisSettings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A client of one server: a given one, or the master that Sentinels name. They are asked with every connect, so that
 * there is nothing to refresh.
 */
public final class ServerClient extends LettuceClient<RedisClient> {

    ServerClient(RedisSettings settings) {
        super(settings, RedisClient::create);
        client.setOptions(shared(ClientOptions.builder()).build());
    }

    /**
     * Returns a client for the replication barrier. Its connections never reconnect by themselves: on a new connection
     * {@code WAIT} knows nothing of the writes of the old one, and would confirm them unseen.
     */
    public static ServerClient ofBarrier(RedisSettings settings) {
        Duration longest = settings.commandTimeout().plus(settings.replication().timeout());
        ServerClient barrier = new ServerClient(settings);
        barrier.client.setOptions(barrier.shared(ClientOptions.builder())
                .autoReconnect(false)
                .timeoutOptions(TimeoutOptions.enabled(longest))
                .build());
        return barrier;
    }

    @Override
    CompletableFuture<LiveConnection> connect() {
        return connect(settings.topology().uris().get(0)).thenApply(LiveConnection::toServer);
    }

    /** Connects without blocking, to a server or to the master that Sentinels name now. */
    public CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connect(RedisURI uri) {
        return client.connectAsync(ByteArrayCodec.INSTANCE, timed(uri, settings))
                .toCompletableFuture();
    }

    @Override
    void whenServersChange(Runnable action) {
        client.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
                action.run();
            }
        });
    }
}
