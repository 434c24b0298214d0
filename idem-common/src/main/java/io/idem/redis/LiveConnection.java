package io.idem.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.protocol.RedisCommand;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An open connection to one server or to all nodes of a cluster; callers need not know which, as long as every command has keys
 * of one slot. A command without keys goes to any node. Thread-safe.
 *
 * @param connection for what Lettuce offers on any connection, such as flushing by hand
 * @param async commands that do not wait; each ends after the command timeout
 * @param isCluster whether commands are spread over nodes by the slots of their keys
 */
record LiveConnection(
        StatefulConnection<byte[], byte[]> connection,
        RedisClusterAsyncCommands<byte[], byte[]> async,
        boolean isCluster) {

    static LiveConnection toServer(StatefulRedisConnection<byte[], byte[]> connection) {
        return new LiveConnection(connection, connection.async(), false);
    }

    static LiveConnection toCluster(StatefulRedisClusterConnection<byte[], byte[]> connection) {
        return new LiveConnection(connection, connection.async(), true);
    }

    /** Whether it is this very connection that an attempt has led to. */
    boolean isIn(CompletableFuture<LiveConnection> attempt) {
        LiveConnection made = attempt.getNow(null);
        return made != null && made.connection == connection;
    }

    /** Writes commands in one flush; in a cluster each by itself, since Lettuce would wait for nodes it is not connected to. */
    void dispatch(List<? extends RedisCommand<byte[], byte[], ?>> commands) {
        if (isCluster) {
            StatefulRedisClusterConnection<byte[], byte[]> nodes =
                    (StatefulRedisClusterConnection<byte[], byte[]>) connection;
            commands.forEach(nodes::dispatch);
        } else {
            connection.dispatch(commands);
        }
    }

    CompletableFuture<Void> closeAsync() {
        return connection.closeAsync();
    }
}
