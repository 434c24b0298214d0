package io.idem.internal.redis.client;

import io.idem.redis.RedisSettings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;

/** A client of one server: a given one, or the master that Sentinels name, which are asked with every connect. */
final class ServerClient extends LettuceClient<RedisClient> {

    private final RedisURI uri;

    ServerClient(RedisSettings settings, ClientResources resources) {
        super(settings.topology(), resources, RedisClient.create(resources));
        this.uri = ClientSettings.timed(settings.topology().uris().get(0), settings);
        client.setOptions(
                ClientSettings.apply(settings, ClientOptions.builder()).build());
    }

    @Override
    CompletableFuture<LiveConnection> connect() {
        return client.connectAsync(ByteArrayCodec.INSTANCE, uri)
                .toCompletableFuture()
                .thenApply(LiveConnection::toServer);
    }

    /** Does nothing, because Sentinels are asked with every connect. */
    @Override
    void refresh() {}

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
