package io.idem.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.concurrent.CompletableFuture;

/**
 * An open connection to one server or to all nodes of a cluster; callers need not know which, as long as every command has keys
 * of one slot. A command without keys goes to any node. Thread-safe.
 *
 * @param connection for what Lettuce offers on any connection, such as flushing by hand
 * @param sync commands that wait for their answer, for one command timeout at most
 * @param async commands that do not wait; none of them times out by itself
 * @param isCluster whether commands are spread over nodes by the slots of their keys
 */
record LiveConnection(
        StatefulConnection<byte[], byte[]> connection,
        RedisClusterCommands<byte[], byte[]> sync,
        RedisClusterAsyncCommands<byte[], byte[]> async,
        boolean isCluster) {

    static LiveConnection toServer(StatefulRedisConnection<byte[], byte[]> connection) {
        return new LiveConnection(connection, connection.sync(), connection.async(), false);
    }

    static LiveConnection toCluster(StatefulRedisClusterConnection<byte[], byte[]> connection) {
        return new LiveConnection(connection, connection.sync(), connection.async(), true);
    }

    /** Whether it is this very connection that an attempt has led to. */
    boolean isIn(CompletableFuture<LiveConnection> attempt) {
        LiveConnection made = attempt.getNow(null);
        return made != null && made.connection == connection;
    }

    CompletableFuture<Void> closeAsync() {
        return connection.closeAsync();
    }
}
