package io.idem.internal.redis.client;

import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.event.Event;
import io.lettuce.core.resource.ClientResources;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A Lettuce client for one topology, used by idem alone. Thread-safe. Its text contains the address of Redis without
 * credentials. What it tells must be received without blocking.
 */
abstract class LettuceClient<C extends AbstractRedisClient> implements AutoCloseable {

    /** The client, with the options of the subclass. */
    final C client;

    final RedisSettings settings;
    private final ClientResources resources;

    LettuceClient(RedisSettings settings, Function<ClientResources, C> maker) {
        this.settings = settings;
        this.resources = ClientSettings.resources(settings);
        this.client = maker.apply(resources);
    }

    static LettuceClient<?> of(RedisSettings settings) {
        return settings.topology() instanceof RedisTopology.Cluster cluster
                ? new ClusterClient(cluster, settings)
                : new ServerClient(settings);
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
