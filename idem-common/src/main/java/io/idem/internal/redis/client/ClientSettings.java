package io.idem.internal.redis.client;

import io.idem.redis.RedisSettings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.IOUringProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The options that all clients share. Clients refuse commands while they are disconnected: a command that Lettuce
 * queued or replayed would run at an unexpected time, and a replay filter does not prevent that.
 */
public final class ClientSettings {

    private static final long FIRST_RECONNECT_PAUSE_MILLIS = 50;
    private static final long LONGEST_RECONNECT_PAUSE_MILLIS = 1000;

    private ClientSettings() {}

    public static ClientResources resources(RedisSettings settings) {
        return ClientResources.builder()
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        channel.pipeline().addFirst(new SilenceHandler(settings.commandTimeout()));
                    }
                })
                .reconnectDelay(Delay.fullJitter(
                        FIRST_RECONNECT_PAUSE_MILLIS,
                        LONGEST_RECONNECT_PAUSE_MILLIS,
                        FIRST_RECONNECT_PAUSE_MILLIS,
                        TimeUnit.MILLISECONDS))
                .build();
    }

    /** Applies the shared options; returns the same builder. */
    public static <B extends ClientOptions.Builder> B apply(RedisSettings settings, B options) {
        options.autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(settings.requestQueueSize())
                .timeoutOptions(TimeoutOptions.enabled(settings.commandTimeout()))
                .socketOptions(socketOptions(settings.commandTimeout()))
                .sslOptions(settings.ssl());
        return options;
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

    /** Returns a copy of an address, and of the Sentinels in it, with the timeout of the settings. */
    public static RedisURI timed(RedisURI uri, RedisSettings settings) {
        RedisURI.Builder copy = RedisURI.builder(uri).withTimeout(settings.commandTimeout());
        if (uri.getSentinelMasterId() != null) {
            copy.withSentinelMasterId(uri.getSentinelMasterId());
        }
        uri.getSentinels().forEach(sentinel -> copy.withSentinel(timed(sentinel, settings)));
        return copy.build();
    }
}
