package io.idem.internal.redis.client;

import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client of one server: a given one, or the master that Sentinels name, which are asked with every connect. */
final class ServerClient implements LettuceClient {

    private final ClientResources resources;
    private final RedisClient client;
    private final RedisURI uri;
    private final RedisTopology topology;

    ServerClient(RedisSettings settings) {
        this.resources = ClientSettings.resources(settings);
        this.uri = ClientSettings.timed(settings.topology().uris().get(0), settings);
        this.topology = settings.topology();
        this.client = RedisClient.create(resources, this.uri);
        client.setOptions(
                ClientSettings.apply(settings, ClientOptions.builder()).build());
    }

    @Override
    public CompletableFuture<LiveConnection> connect() {
        return client.connectAsync(ByteArrayCodec.INSTANCE, uri)
                .toCompletableFuture()
                .thenApply(LiveConnection::toServer);
    }

    /** Does nothing, because Sentinels are asked with every connect. */
    @Override
    public void refresh() {}

    @Override
    public void whenServersChange(Runnable action) {
        client.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
                action.run();
            }
        });
    }

    @Override
    public String toString() {
        return topology.toString();
    }

    @Override
    public void close() {
        client.shutdown(0, 1, TimeUnit.SECONDS);
        resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
}
