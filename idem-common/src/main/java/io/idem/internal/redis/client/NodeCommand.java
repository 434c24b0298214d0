package io.idem.internal.redis.client;

import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.protocol.CommandWrapper;
import io.lettuce.core.protocol.RedisCommand;
import org.jspecify.annotations.Nullable;

/**
 * A command that was written to the node which should have its key. If the node answers that another one has it, nothing was executed,
 * and the command is sent on by the cluster's own connection: that follows redirections, counts them, and learns from them. Its
 * timeout goes on.
 */
final class NodeCommand<T> extends CommandWrapper<byte[], byte[], T> {

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
