package io.idem.internal.redis.client;

import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import java.util.concurrent.CompletableFuture;

/**
 * A Lettuce client for one topology, used by idem alone. Thread-safe. Its text contains the address of Redis without
 * credentials.
 */
interface LettuceClient extends AutoCloseable {

    static LettuceClient of(RedisSettings settings) {
        return settings.topology() instanceof RedisTopology.Cluster cluster
                ? new ClusterClient(cluster, settings)
                : new ServerClient(settings);
    }

    /** Connects without blocking. */
    CompletableFuture<LiveConnection> connect();

    /** Reads the topology again where there are several servers; does not block. */
    void refresh();

    /**
     * Registers an action for every time that a server is added, reconnected or promoted; the action must not block.
     */
    void whenServersChange(Runnable action);

    /** Closes connections and ends threads; blocks for at most a second. */
    @Override
    void close();
}
