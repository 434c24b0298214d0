package io.idem.redis;

import io.idem.StoreUnavailableException;
import io.idem.spi.RecordId;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Sends commands and waits for their answers; a failure becomes a {@link StoreUnavailableException}. */
final class RedisCaller implements AutoCloseable {

    private final RedisConnection connection;

    RedisCaller(RedisConnection connection) {
        this.connection = connection;
    }

    /** Runs one command; {@code what} names it in messages and is not asked before there is one. */
    <T> T call(Object what, Function<RedisClusterCommands<byte[], byte[]>, T> command) {
        LiveConnection connected = connection.get(what);
        try {
            T answer = command.apply(connected.sync());
            connection.answered();
            return answer;
        } catch (RedisCommandTimeoutException silent) {
            connection.silent(connected);
            throw RedisFailures.unavailable(what.toString(), silent);
        } catch (RedisException failure) {
            throw RedisFailures.unavailable(what.toString(), failure);
        }
    }

    /** Runs a script on one record: by its digest, and where Redis does not know that, by its text. */
    ScriptReply run(Script script, RecordId record, byte[]... arguments) {
        byte[][] keys = {Keys.of(record)};
        return new ScriptReply(call(new ScriptCall(script, record), commands -> {
            try {
                return commands.<List<Object>>evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments);
            } catch (RedisNoScriptException unknown) {
                return commands.<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments);
            }
        }));
    }

    private record ScriptCall(Script script, RecordId record) {

        @Override
        public String toString() {
            return script.name().toUpperCase(Locale.ROOT) + " of " + record;
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
