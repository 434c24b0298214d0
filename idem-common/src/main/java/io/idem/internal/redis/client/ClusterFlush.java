package io.idem.internal.redis.client;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.protocol.CommandWrapper;
import io.lettuce.core.protocol.RedisCommand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes commands with keys to a cluster: the commands for one master in one flush, on the connection to it that the
 * cluster's own connection uses too. Lettuce would flush for every slot, and wait for nodes that it is not connected
 * to. Never blocks; a command that cannot be written fails.
 */
record ClusterFlush(StatefulRedisClusterConnection<byte[], byte[]> cluster) {

    void dispatch(List<? extends RedisCommand<byte[], byte[], ?>> commands) {
        Map<@Nullable RedisClusterNode, List<RedisCommand<byte[], byte[], ?>>> groups = new HashMap<>();
        Partitions known = cluster.getPartitions();
        for (RedisCommand<byte[], byte[], ?> command : commands) {
            RedisClusterNode master =
                    known.getMasterBySlot(SlotHash.getSlot(command.getArgs().getFirstEncodedKey()));
            groups.computeIfAbsent(master, none -> new ArrayList<>()).add(command);
        }
        groups.forEach((master, group) -> connectionFor(group, master)
                .ifPresentOrElse(node -> flush(group, node), () -> group.forEach(cluster::dispatch)));
    }

    /**
     * Returns the connection to a master; empty where the cluster's own connection serves better, which can wait for a
     * node and report that there is none.
     */
    private Optional<StatefulRedisConnection<byte[], byte[]>> connectionFor(
            List<RedisCommand<byte[], byte[], ?>> group, @Nullable RedisClusterNode master) {
        if (master == null || group.size() == 1) {
            return Optional.empty();
        }
        try {
            CompletableFuture<StatefulRedisConnection<byte[], byte[]>> node = cluster.getConnectionAsync(
                    master.getUri().getHost(), master.getUri().getPort());
            // A flush that does not fit into the queue is refused as a whole, on every attempt.
            return Optional.ofNullable(node.getNow(null))
                    .filter(ready -> group.size() <= ready.getOptions().getRequestQueueSize());
        } catch (RuntimeException notConnected) {
            return Optional.empty();
        }
    }

    private void flush(List<RedisCommand<byte[], byte[], ?>> group, StatefulRedisConnection<byte[], byte[]> node) {
        List<NodeCommand<?>> flush = new ArrayList<>(group.size());
        group.forEach(command -> flush.add(new NodeCommand<>(command, cluster)));
        try {
            node.dispatch(flush);
        } catch (RuntimeException refused) {
            flush.forEach(command -> command.completeExceptionally(refused));
        }
    }

    /**
     * A command that was written to the node that should have its key. If the node answers with a redirection, nothing
     * was executed, and the cluster's own connection sends the command on: it follows redirections, counts them, and
     * updates the topology. The timeout continues.
     */
    private static final class NodeCommand<T> extends CommandWrapper<byte[], byte[], T> {

        private final StatefulRedisClusterConnection<byte[], byte[]> cluster;

        NodeCommand(RedisCommand<byte[], byte[], T> command, StatefulRedisClusterConnection<byte[], byte[]> cluster) {
            super(command);
            this.cluster = cluster;
        }

        @Override
        public void complete() {
            if (isRedirection(getOutput().getError())) {
                sendOn();
            } else {
                super.complete();
            }
        }

        private static boolean isRedirection(@Nullable String error) {
            return error != null && (error.startsWith("MOVED ") || error.startsWith("ASK "));
        }

        private void sendOn() {
            getOutput().setError((String) null);
            try {
                var unused = cluster.dispatch(command);
            } catch (RuntimeException refused) {
                completeExceptionally(refused);
            }
        }
    }
}
