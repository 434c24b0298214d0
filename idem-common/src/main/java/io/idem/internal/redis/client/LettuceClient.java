package io.idem.internal.redis.client;

import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.event.Event;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.IOUringProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A Lettuce client for one topology, used by idem alone. It refuses commands while it is disconnected: a command that
 * Lettuce queued or replayed would run at an unexpected time, and a replay filter does not prevent that. Thread-safe. Its
 * text contains the address of Redis without credentials. What it tells must be received without blocking.
 */
abstract class LettuceClient<C extends AbstractRedisClient> implements AutoCloseable {

    private static final long FIRST_RECONNECT_PAUSE_MILLIS = 50;
    private static final long LONGEST_RECONNECT_PAUSE_MILLIS = 1000;

    /** The client, with the options of the subclass. */
    final C client;

    final RedisSettings settings;
    private final ClientResources resources;

    LettuceClient(RedisSettings settings, Function<ClientResources, C> maker) {
        this.settings = settings;
        this.resources = resources(settings);
        this.client = maker.apply(resources);
    }

    static LettuceClient<?> of(RedisSettings settings) {
        return settings.topology() instanceof RedisTopology.Cluster cluster
                ? new ClusterClient(cluster, settings)
                : new ServerClient(settings);
    }

    private static ClientResources resources(RedisSettings settings) {
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
    final <B extends ClientOptions.Builder> B shared(B options) {
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
    static RedisURI timed(RedisURI uri, RedisSettings settings) {
        RedisURI.Builder copy = RedisURI.builder(uri).withTimeout(settings.commandTimeout());
        if (uri.getSentinelMasterId() != null) {
            copy.withSentinelMasterId(uri.getSentinelMasterId());
        }
        uri.getSentinels().forEach(sentinel -> copy.withSentinel(timed(sentinel, settings)));
        return copy.build();
    }

    /** Connects without blocking. */
    abstract CompletableFuture<LiveConnection> connect();

    /** Reads the topology again where clients keep one; does not block. */
    void refresh() {}

    /** Registers an action for every time that a server is added, reconnected or promoted. */
    abstract void whenServersChange(Runnable action);

    /** Registers a receiver of an event of the client. */
    <E extends Event> void on(Class<E> event, Consumer<E> receiver) {
        var unused = resources.eventBus().get().ofType(event).subscribe(receiver);
    }

    @Override
    public String toString() {
        return settings.topology().toString();
    }

    /** Closes connections and ends threads; blocks for at most a second. */
    @Override
    public void close() {
        client.shutdown(0, 1, TimeUnit.SECONDS);
        resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
}
