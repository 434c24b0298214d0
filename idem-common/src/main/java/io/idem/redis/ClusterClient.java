package io.idem.redis;

import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Speaks to the nodes of a Redis Cluster, and learns anew which node has which slots: regularly, and when a node says so. */
final class ClusterClient implements LettuceClient {

    /** A frozen master gives no sign by which its replacement would be noticed earlier. */
    private static final Duration REFRESH_EVERY = Duration.ofSeconds(5);

    /** A failover gives many signs at once, and the first may come before it is over. */
    private static final Duration BETWEEN_TRIGGERED_REFRESHES = Duration.ofSeconds(1);

    private final ClientResources resources = ClientSettings.resources();
    private final RedisClusterClient client;
    private final RedisTopology topology;

    ClusterClient(RedisTopology.Cluster cluster, RedisSettings settings) {
        this.topology = cluster;
        this.client = RedisClusterClient.create(
                resources,
                cluster.seeds().stream()
                        .map(seed -> ClientSettings.timed(seed, settings))
                        .toList());
        ClusterClientOptions.Builder options = ClusterClientOptions.builder()
                .validateClusterNodeMembership(false)
                .topologyRefreshOptions(refreshing());
        client.setOptions(ClientSettings.apply(settings, options).build());
    }

    private static ClusterTopologyRefreshOptions refreshing() {
        return ClusterTopologyRefreshOptions.builder()
                .enablePeriodicRefresh(REFRESH_EVERY)
                .adaptiveRefreshTriggersTimeout(BETWEEN_TRIGGERED_REFRESHES)
                .refreshTriggersReconnectAttempts(1)
                .build();
    }

    @Override
    public CompletableFuture<LiveConnection> connect() {
        return client.refreshPartitionsAsync()
                .thenCompose(known -> client.connectAsync(ByteArrayCodec.INSTANCE))
                .thenApply(LiveConnection::toCluster)
                .toCompletableFuture();
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
