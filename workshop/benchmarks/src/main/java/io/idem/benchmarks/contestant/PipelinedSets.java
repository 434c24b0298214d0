package io.idem.benchmarks.contestant;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The floor of a batch: {@code SET NX PX} for each key in one flush, and after the answers the same for a second key
 * each. In a cluster there is one flush to each master.
 */
public final class PipelinedSets implements BatchContestant {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final SetArgs CLAIM = SetArgs.Builder.nx().px(86_400_000);

    /** A number of keys that reaches every master of a small cluster. */
    private static final int EVERYWHERE = 64;

    private final AbstractRedisClient client;
    private final StatefulConnection<String, String> connection;
    private final RedisClusterAsyncCommands<String, String> commands;

    private PipelinedSets(
            AbstractRedisClient client,
            StatefulConnection<String, String> connection,
            RedisClusterAsyncCommands<String, String> commands) {
        this.client = client;
        this.connection = connection;
        this.commands = commands;
        // Connects to all masters first: commands written to a connection that is still being opened are not flushed.
        await(IntStream.range(0, EVERYWHERE)
                .mapToObj(key -> commands.exists(Integer.toString(key)))
                .toArray(RedisFuture<?>[]::new));
        connection.setAutoFlushCommands(false);
    }

    /** Connects to the server of this URI. */
    public static PipelinedSets toServer(String uri) {
        RedisClient client = RedisClient.create(uri);
        StatefulRedisConnection<String, String> connection = client.connect();
        return new PipelinedSets(client, connection, connection.async());
    }

    /** Connects to the cluster of these nodes, each written {@code host:port}. */
    public static PipelinedSets toCluster(List<String> nodes) {
        RedisClusterClient client = RedisClusterClient.create(
                nodes.stream().map(node -> RedisURI.create("redis://" + node)).toList());
        StatefulRedisClusterConnection<String, String> connection = client.connect();
        return new PipelinedSets(client, connection, connection.async());
    }

    @Override
    public void batch(List<String> keys) {
        flush(keys, "");
        flush(keys, ":done");
    }

    /** Sends one command for each key in one flush; returns when all are answered. */
    public void flush(List<String> keys, String suffix) {
        RedisFuture<?>[] answers =
                keys.stream().map(key -> commands.set(key + suffix, "1", CLAIM)).toArray(RedisFuture<?>[]::new);
        connection.flushCommands();
        await(answers);
    }

    private static void await(RedisFuture<?>... answers) {
        if (!LettuceFutures.awaitAll(PATIENCE, answers)) {
            throw new IllegalStateException("Redis did not answer within " + PATIENCE);
        }
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
