package io.idem.internal.redis.client;

import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.event.Event;
import io.lettuce.core.resource.ClientResources;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A Lettuce client for one topology, used by idem alone. Thread-safe. Its text contains the address of Redis without
 * credentials. What it tells must be received without blocking.
 */
abstract class LettuceClient<C extends AbstractRedisClient> implements AutoCloseable {

    /** The client, with the options of the subclass. */
    final C client;

    private final RedisTopology topology;
    private final ClientResources resources;

    LettuceClient(RedisTopology topology, ClientResources resources, C client) {
        this.topology = topology;
        this.resources = resources;
        this.client = client;
    }

    static LettuceClient<?> of(RedisSettings settings) {
        ClientResources resources = ClientSettings.resources(settings);
        return settings.topology() instanceof RedisTopology.Cluster cluster
                ? new ClusterClient(cluster, settings, resources)
                : new ServerClient(settings, resources);
    }

    /** Connects without blocking. */
    abstract CompletableFuture<LiveConnection> connect();

    /** Reads the topology again where there are several servers; does not block. */
    abstract void refresh();

    /** Registers an action for every time that a server is added, reconnected or promoted. */
    abstract void whenServersChange(Runnable action);

    /** Registers a receiver of an event of the client. */
    <E extends Event> void on(Class<E> event, Consumer<E> receiver) {
        var unused = resources.eventBus().get().ofType(event).subscribe(receiver);
    }

    @Override
    public String toString() {
        return topology.toString();
    }

    /** Closes connections and ends threads; blocks for at most a second. */
    @Override
    public void close() {
        client.shutdown(0, 1, TimeUnit.SECONDS);
        resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }
}
