package io.idem.internal.redis.client;

import io.idem.redis.RedisSettings;
import io.idem.spi.RecordLister;
import io.idem.spi.Stages;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.PartitionSelectorException;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.protocol.RedisCommand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An open connection to one server or to all nodes of a cluster. Callers need not know which, as long as all keys of a
 * command are in one slot. A command without keys goes to any node. Thread-safe.
 *
 * @param connection the connection, for what Lettuce offers on any kind, such as manual flushing
 * @param async the asynchronous commands; each ends after the command timeout
 * @param isCluster whether commands are spread over nodes by the slots of their keys
 */
public record LiveConnection(
        StatefulConnection<byte[], byte[]> connection,
        RedisClusterAsyncCommands<byte[], byte[]> async,
        boolean isCluster) {

    static LiveConnection toServer(StatefulRedisConnection<byte[], byte[]> connection) {
        return new LiveConnection(connection, connection.async(), false);
    }

    static LiveConnection toCluster(StatefulRedisClusterConnection<byte[], byte[]> connection) {
        return new LiveConnection(connection, connection.async(), true);
    }

    /**
     * Writes commands with keys in one flush; in a cluster in one flush for each master. If they cannot be written, they
     * fail.
     */
    void dispatch(List<? extends RedisCommand<byte[], byte[], ?>> commands) {
        try {
            if (isCluster) {
                new ClusterFlush(cluster()).dispatch(commands);
            } else {
                connection.dispatch(commands);
            }
        } catch (Throwable refused) {
            commands.forEach(command -> command.completeExceptionally(refused));
        }
    }

    /** Returns the address of the master of a key by the known topology, or of the Sentinels to ask. */
    public RedisURI masterOf(byte[] key, RedisSettings settings) {
        if (!isCluster) {
            return settings.topology().uris().get(0);
        }
        RedisClusterNode master = cluster().getPartitions().getMasterBySlot(SlotHash.getSlot(key));
        if (master == null) {
            throw new PartitionSelectorException(
                    "No node serves the record's slot", cluster().getPartitions());
        }
        return master.getUri();
    }

    /** Returns a part of the names of all keys. */
    public CompletionStage<ScanPart> scan(String cursor, ScanArgs args) {
        return isCluster
                ? new ClusterScan(cluster()).scan(cursor, args)
                : async.scan(ScanCursor.of(cursor), args)
                        .thenApply(found -> ScanPart.of(found, "", RecordLister.START));
    }

    /** Returns the {@code INFO} of each server that can be reached; fails if there is none. */
    CompletableFuture<List<String>> infos(Duration timeout) {
        List<CompletableFuture<String>> infos = servers()
                .map(server -> server.thenCompose(RedisClusterAsyncCommands::info)
                        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS))
                .toList();
        return Stages.compose(Stages.all(infos), done -> known(infos));
    }

    private Stream<CompletableFuture<? extends RedisClusterAsyncCommands<byte[], byte[]>>> servers() {
        return isCluster
                ? cluster().getPartitions().stream()
                        .map(RedisClusterNode::getUri)
                        .map(uri -> cluster()
                                .getConnectionAsync(uri.getHost(), uri.getPort())
                                .thenApply(StatefulRedisConnection::async))
                : Stream.of(CompletableFuture.completedFuture(async));
    }

    private static CompletableFuture<List<String>> known(List<CompletableFuture<String>> infos) {
        List<String> known = infos.stream()
                .filter(info -> !info.isCompletedExceptionally())
                .map(CompletableFuture::join)
                .toList();
        return known.isEmpty() ? infos.get(0).thenApply(List::of) : CompletableFuture.completedFuture(known);
    }

    private StatefulRedisClusterConnection<byte[], byte[]> cluster() {
        return (StatefulRedisClusterConnection<byte[], byte[]>) connection;
    }

    CompletableFuture<Void> closeAsync() {
        return connection.closeAsync();
    }
}
