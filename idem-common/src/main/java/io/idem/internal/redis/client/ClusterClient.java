package io.idem.internal.redis.client;

import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.spi.Stages;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A client of a Redis Cluster. Reads the slots of the nodes again at intervals and when a node reports a change. */
final class ClusterClient extends LettuceClient<RedisClusterClient> {

    /** The interval of refreshes. A frozen master gives no sign by which its replacement would be noticed earlier. */
    private static final Duration REFRESH_EVERY = Duration.ofSeconds(5);

    /**
     * The shortest time between refreshes that nodes trigger: a failover triggers many, and the first may come before
     * it is over.
     */
    private static final Duration BETWEEN_TRIGGERED_REFRESHES = Duration.ofSeconds(1);

    private final AtomicBoolean refreshing = new AtomicBoolean();

    ClusterClient(RedisTopology.Cluster cluster, RedisSettings settings) {
        super(
                settings,
                resources -> RedisClusterClient.create(
                        resources,
                        cluster.seeds().stream()
                                .map(seed -> timed(seed, settings))
                                .toList()));
        client.setOptions(shared(ClusterClientOptions.builder())
                .validateClusterNodeMembership(false)
                .topologyRefreshOptions(refreshing())
                .build());
    }

    private static ClusterTopologyRefreshOptions refreshing() {
        return ClusterTopologyRefreshOptions.builder()
                .enablePeriodicRefresh(REFRESH_EVERY)
                .adaptiveRefreshTriggersTimeout(BETWEEN_TRIGGERED_REFRESHES)
                .refreshTriggersReconnectAttempts(1)
                .build();
    }

    @Override
    CompletableFuture<LiveConnection> connect() {
        return client.refreshPartitionsAsync()
                .thenCompose(known -> client.connectAsync(ByteArrayCodec.INSTANCE))
                .thenApply(LiveConnection::toCluster)
                .toCompletableFuture();
    }

    /** Starts a refresh, unless one is running: a failover triggers many at once. */
    @Override
    void refresh() {
        if (refreshing.compareAndSet(false, true)) {
            Stages.whenComplete(client.refreshPartitionsAsync(), (done, failure) -> refreshing.set(false));
        }
    }

    @Override
    void whenServersChange(Runnable action) {
        on(ClusterTopologyChangedEvent.class, changed -> action.run());
    }
}
