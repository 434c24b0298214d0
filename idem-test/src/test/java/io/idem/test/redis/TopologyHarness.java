package io.idem.test.redis;

import io.idem.RecordId;
import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RunningRedisCluster;
import io.idem.servers.RunningSentinels;
import io.idem.spi.IdempotencyStore;
import io.idem.test.contract.StoreHarness;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A store on servers of several processes. Closing it empties these; {@link #stop()} ends the clients. */
final class TopologyHarness implements StoreHarness {

    /** A batch of a thousand records sends every script as text first. */
    private static final Duration PATIENT = Duration.ofSeconds(5);

    private final IdempotencyStore store;
    private final AbstractRedisClient client;
    private final RedisClusterCommands<byte[], byte[]> commands;

    private TopologyHarness(
            RedisSettings settings, AbstractRedisClient client, RedisClusterCommands<byte[], byte[]> commands) {
        this.store = new RedisIdempotencyStore(settings);
        this.client = client;
        this.commands = commands;
    }

    static RedisTopology of(RunningRedisCluster cluster) {
        return new RedisTopology.Cluster(cluster.nodes().stream()
                .map(node -> RedisURI.create(node.uri()))
                .toList());
    }

    static RedisTopology of(RunningSentinels sentinels) {
        return RedisTopology.of(RedisURI.create(sentinels.uri()));
    }

    static TopologyHarness on(RedisTopology topology) {
        return on(RedisSettings.of(topology).withCommandTimeout(PATIENT));
    }

    static TopologyHarness on(RedisSettings settings) {
        List<RedisURI> uris = settings.topology().uris();
        if (settings.topology() instanceof RedisTopology.Cluster) {
            RedisClusterClient client = RedisClusterClient.create(uris);
            return new TopologyHarness(
                    settings, client, client.connect(ByteArrayCodec.INSTANCE).sync());
        }
        RedisClient client = RedisClient.create(uris.get(0));
        return new TopologyHarness(
                settings, client, client.connect(ByteArrayCodec.INSTANCE).sync());
    }

    @Override
    public IdempotencyStore store() {
        return store;
    }

    @Override
    public void advance(Duration by) {
        new Records(commands).advance(by);
    }

    @Override
    public String stored(RecordId record) {
        return new Records(commands).stored(List.of(record)).get(0);
    }

    @Override
    public void close() {
        commands.flushall();
    }

    void stop() {
        store.close();
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
