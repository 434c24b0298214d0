package io.idem.test.upgrade;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** The scripts as an earlier version of idem sent them, kept as test resources under the name of its commit. */
final class FrozenScripts {

    private final RedisCommands<byte[], byte[]> redis;
    private final String version;

    FrozenScripts(RedisCommands<byte[], byte[]> redis, String version) {
        this.redis = redis;
        this.version = version;
    }

    /** The answer: an array that starts with a word. */
    List<Object> run(String script, byte[] key, byte[]... arguments) {
        return redis.eval(text(script), ScriptOutputType.MULTI, new byte[][] {key}, arguments);
    }

    private byte[] text(String script) {
        String name = version + "/" + script + ".lua";
        try (InputStream stream = FrozenScripts.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(stream, name).readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
