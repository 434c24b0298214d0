package io.idem.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;

/** Commands as values, so that many can be written to the connection at once. Each is sent once only. */
final class Flush {

    private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;

    private Flush() {}

    /** A script by its digest. */
    static AsyncCommand<byte[], byte[], List<Object>> evalsha(
            Script script, List<byte[]> keys, List<byte[]> arguments) {
        return eval(CommandType.EVALSHA, script.digest(), keys, arguments);
    }

    /** A script by its text, for a server that does not know the digest. */
    static AsyncCommand<byte[], byte[], List<Object>> eval(Script script, List<byte[]> keys, List<byte[]> arguments) {
        return eval(CommandType.EVAL, script.text(), keys, arguments);
    }

    private static AsyncCommand<byte[], byte[], List<Object>> eval(
            CommandType type, String script, List<byte[]> keys, List<byte[]> arguments) {
        CommandArgs<byte[], byte[]> all =
                arguments().add(script).add(keys.size()).addKeys(keys).addValues(arguments);
        return command(type, new NestedMultiOutput<>(CODEC), all);
    }

    static AsyncCommand<byte[], byte[], byte[]> get(byte[] key) {
        return command(CommandType.GET, new ValueOutput<>(CODEC), arguments().addKey(key));
    }

    private static CommandArgs<byte[], byte[]> arguments() {
        return new CommandArgs<>(CODEC);
    }

    private static <T> AsyncCommand<byte[], byte[], T> command(
            CommandType type, CommandOutput<byte[], byte[], T> output, CommandArgs<byte[], byte[]> arguments) {
        return new AsyncCommand<>(new Command<>(type, output, arguments));
    }
}
