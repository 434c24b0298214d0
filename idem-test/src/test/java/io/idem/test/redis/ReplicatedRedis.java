package io.idem.test.redis;

import static org.awaitility.Awaitility.await;

import io.idem.redis.RedisSettings;
import io.idem.redis.ReplicationSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.servers.proxy.TcpProxy;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A master and a replica, with a proxy on the way between them and another one between the client and the master. */
final class ReplicatedRedis implements AutoCloseable {

    final RunningRedis master;
    final RunningRedis replica;
    final TcpProxy replication;
    final TcpProxy client;
    private final List<RedisIdempotencyStore> stores = new ArrayList<>();

    ReplicatedRedis() {
        this(ServerOptions.own());
    }

    ReplicatedRedis(ServerOptions options) {
        ServerOptions quick = options.with("repl-diskless-sync-delay", "0");
        master = RedisServers.start(quick);
        replica = RedisServers.start(quick);
        replication = TcpProxy.to(master.host(), master.port());
        client = TcpProxy.to(master.host(), master.port());
        replica.command("REPLICAOF", replication.host(), Integer.toString(replication.port()));
        await().until(() -> replica.info("master_link_status").equals("up"));
        await().until(() -> master.info("slave0").contains("state=online"));
    }

    /** A store on the master, whose grants one replica must confirm, however slow this machine is. */
    RedisIdempotencyStore gated() {
        return gated(new ReplicationSettings(1, false, 0, Duration.ofSeconds(20)));
    }

    /** The same, but soon at the end of its patience: for replicas that do not confirm. */
    RedisIdempotencyStore hastilyGated() {
        return gated(new ReplicationSettings(1, false, 0, Duration.ofMillis(200)));
    }

    RedisIdempotencyStore gated(ReplicationSettings replication) {
        return store(settings(client.port()).withReplication(replication));
    }

    /** A store whose grants a replica must confirm, and that lets few commands wait for an answer. */
    RedisIdempotencyStore gatedWithQueueOf(int commands) {
        RedisSettings usual = settings(client.port());
        return store(new RedisSettings(
                usual.topology(),
                usual.ssl(),
                usual.commandTimeout(),
                commands,
                usual.guards(),
                usual.namespace(),
                new ReplicationSettings(1, false, 0, Duration.ofSeconds(20))));
    }

    /** A store on the master that asks no replica. */
    RedisIdempotencyStore plain() {
        return store(settings(client.port()));
    }

    /** The replica becomes the master, and the old master is gone. */
    RedisIdempotencyStore failover() {
        master.kill();
        replica.command("REPLICAOF", "NO", "ONE");
        return store(settings(replica.port()));
    }

    private static RedisSettings settings(int port) {
        return RedisSettings.of(RedisURI.create("127.0.0.1", port));
    }

    private RedisIdempotencyStore store(RedisSettings settings) {
        RedisIdempotencyStore store = new RedisIdempotencyStore(settings);
        stores.add(store);
        return store;
    }

    @Override
    public void close() {
        stores.forEach(RedisIdempotencyStore::close);
        client.close();
        replication.close();
        replica.close();
        master.close();
    }
}
