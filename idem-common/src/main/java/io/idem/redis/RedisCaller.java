package io.idem.redis;

import io.idem.StoreUnavailableException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Sends commands and waits for their answers; a failure becomes a {@link StoreUnavailableException}. */
final class RedisCaller implements AutoCloseable {

    private final RedisConnection connection;

    RedisCaller(RedisConnection connection) {
        this.connection = connection;
    }

    /** Runs one command; {@code what} names it in messages. */
    <T> T call(String what, Function<RedisCommands<byte[], byte[]>, T> command) {
        StatefulRedisConnection<byte[], byte[]> connected = connection.get(what);
        try {
            T answer = command.apply(connected.sync());
            connection.answered();
            return answer;
        } catch (RedisCommandTimeoutException silent) {
            connection.silent(connected);
            throw RedisFailures.unavailable(what, silent);
        } catch (RedisException failure) {
            throw RedisFailures.unavailable(what, failure);
        }
    }

    /** Runs a script on one record: by its digest, and where Redis does not know that, by its text. */
    ScriptReply run(Script script, String what, byte[] key, byte[]... arguments) {
        byte[][] keys = {key};
        return new ScriptReply(call(script.name().toUpperCase(Locale.ROOT) + " of " + what, commands -> {
            try {
                return commands.<List<Object>>evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments);
            } catch (RedisNoScriptException unknown) {
                return commands.<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments);
            }
        }));
    }

    @Override
    public void close() {
        connection.close();
    }
}
