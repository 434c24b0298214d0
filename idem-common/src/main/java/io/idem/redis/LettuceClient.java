package io.idem.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.IOUringProvider;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A Lettuce client of idem's own. It refuses commands while it is disconnected: one that Lettuce queued or replayed would run
 * at a time that nobody expects, and a replay filter does not prevent that.
 */
final class LettuceClient implements AutoCloseable {

    private static final long FIRST_RECONNECT_PAUSE_MILLIS = 50;
    private static final long LONGEST_RECONNECT_PAUSE_MILLIS = 1000;

    private final ClientResources resources;
    private final RedisClient client;
    private final RedisURI uri;

    LettuceClient(RedisSettings settings) {
        this.uri = RedisURI.builder(settings.uri())
                .withTimeout(settings.commandTimeout())
                .build();
        this.resources = ClientResources.builder()
                .reconnectDelay(Delay.fullJitter(
                        FIRST_RECONNECT_PAUSE_MILLIS,
                        LONGEST_RECONNECT_PAUSE_MILLIS,
                        FIRST_RECONNECT_PAUSE_MILLIS,
                        TimeUnit.MILLISECONDS))
                .build();
        this.client = RedisClient.create(resources, uri);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(settings.requestQueueSize())
                .socketOptions(socketOptions(settings.commandTimeout()))
                .sslOptions(settings.ssl())
                .build());
    }

    private static SocketOptions socketOptions(Duration timeout) {
        SocketOptions.Builder options =
                SocketOptions.builder().connectTimeout(timeout).keepAlive(true);
        if (EpollProvider.isAvailable() || IOUringProvider.isAvailable()) {
            options.tcpUserTimeout(TcpUserTimeoutOptions.builder()
                    .enable()
                    .tcpUserTimeout(timeout)
                    .build());
        }
        return options.build();
    }

    /** Connects without blocking. */
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connect() {
        return client.connectAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture();
    }

    /** Host and port, fit for logs. */
    @Override
    public String toString() {
        return uri.getHost() + ":" + uri.getPort();
    }

    @Override
    public void close() {
        client.shutdown(0, 1, TimeUnit.SECONDS);
        resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
}
