package io.idem.redis;

import java.util.concurrent.CompletableFuture;

/** A Lettuce client of idem's own, for one topology. Thread-safe. Its text says where Redis is, without credentials. */
interface LettuceClient extends AutoCloseable {

    static LettuceClient of(RedisSettings settings) {
        return settings.topology() instanceof RedisTopology.Cluster cluster
                ? new ClusterClient(cluster, settings)
                : new ServerClient(settings);
    }

    /** Connects without blocking. */
    CompletableFuture<LiveConnection> connect();

    /** Ends connections and threads; waits for that a second at most. */
    @Override
    void close();
}
