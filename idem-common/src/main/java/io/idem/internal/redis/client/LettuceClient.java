package io.idem.internal.redis.client;

import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
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

    /** Looks anew at which servers there are, where there are several; does not block. */
    void refresh();

    /** Lets {@code action} run whenever a server came, came back or was promoted; it must not block. */
    void whenServersChange(Runnable action);

    /** Ends connections and threads; waits for that a second at most. */
    @Override
    void close();
}
