package io.idem.internal.redis.replication;

import io.idem.redis.ReplicationSettings;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;

/** The commands that travel with scripts through the replication barrier, in one flush. Each is sent only once. */
final class BarrierCommands {

    private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;

    /** The command that Lettuce has no name for. */
    private static final ProtocolKeyword WAITAOF = () -> "WAITAOF".getBytes(StandardCharsets.US_ASCII);

    private BarrierCommands() {}

    /**
     * Returns the command by which a node of a cluster answers for a slot that is still being migrated to it; valid for
     * the next command only.
     */
    static AsyncCommand<byte[], byte[], String> asking() {
        return command(CommandType.ASKING, new StatusOutput<>(CODEC));
    }

    /** Returns the question for the number of replicas that have received what this connection wrote. */
    static AsyncCommand<byte[], byte[], Long> waitForReplicas(ReplicationSettings wanted) {
        return command(
                CommandType.WAIT,
                new IntegerOutput<>(CODEC),
                wanted.replicas(),
                wanted.timeout().toMillis());
    }

    /**
     * Returns the question for the number of masters, 0 or 1, and of replicas that have synced it to their append-only
     * files.
     */
    static AsyncCommand<byte[], byte[], List<Object>> waitForDisks(ReplicationSettings wanted) {
        return command(
                WAITAOF,
                new NestedMultiOutput<>(CODEC),
                wanted.localDisks(),
                wanted.syncedReplicas(),
                wanted.timeout().toMillis());
    }

    private static <T> AsyncCommand<byte[], byte[], T> command(
            ProtocolKeyword type, CommandOutput<byte[], byte[], T> output, long... arguments) {
        CommandArgs<byte[], byte[]> all = new CommandArgs<>(CODEC);
        LongStream.of(arguments).forEach(all::add);
        return new AsyncCommand<>(new Command<>(type, output, all));
    }
}
