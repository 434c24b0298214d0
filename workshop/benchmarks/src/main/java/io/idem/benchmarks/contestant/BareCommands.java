package io.idem.benchmarks.contestant;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.Base16;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiFunction;

/** Floors of two bare commands: no library that needs one answer before the work and another after it can be faster. */
final class BareCommands implements Contestant {

    private static final String SCRIPT = "return 1";
    private static final String DIGEST = Base16.digest(SCRIPT.getBytes(StandardCharsets.US_ASCII));
    private static final String ARGUMENT = "x".repeat(48);
    private static final SetArgs CLAIM = SetArgs.Builder.nx().px(86_400_000);

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final BiFunction<RedisCommands<String, String>, String, Object> command;

    private BareCommands(String uri, BiFunction<RedisCommands<String, String>, String, Object> command) {
        this.client = RedisClient.create(uri);
        this.connection = client.connect();
        this.command = command;
    }

    static Contestant pings(String uri) {
        return new BareCommands(uri, (redis, key) -> redis.ping());
    }

    static Contestant sets(String uri) {
        return new BareCommands(uri, (redis, key) -> String.valueOf(redis.set("bare:" + key, "1", CLAIM)));
    }

    /** Returns a floor of two scripts that carry as many bytes as those of idem. */
    static Contestant scripts(String uri) {
        BareCommands scripts = new BareCommands(uri, BareCommands::script);
        scripts.connection.sync().scriptLoad(SCRIPT);
        return scripts;
    }

    private static Object script(RedisCommands<String, String> redis, String key) {
        return redis.<Long>evalsha(
                DIGEST, ScriptOutputType.INTEGER, new String[] {"bare:" + key}, "86400000", "30000", ARGUMENT);
    }

    @Override
    public Object fresh(String key) {
        return List.of(command.apply(connection.sync(), key), command.apply(connection.sync(), key + ":done"));
    }

    @Override
    public Object duplicate(String key) {
        return command.apply(connection.sync(), key);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
