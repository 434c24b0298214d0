package io.idem.test.redis;

import io.idem.RecordId;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Runs single scripts past the store. */
final class RawScripts implements AutoCloseable {

    private final RedisClient client;
    private final RedisCommands<byte[], byte[]> redis;

    RawScripts(String uri) {
        client = RedisClient.create(uri);
        redis = client.connect(ByteArrayCodec.INSTANCE).sync();
    }

    byte[] get(RecordId record) {
        return redis.get(Acquires.bytes(Acquires.keyOf(record)));
    }

    /** The word that the script answers. */
    String run(String script, RecordId record, byte[] first, String second) {
        List<List<byte[]>> replies = redis.eval(
                text(script),
                ScriptOutputType.MULTI,
                new byte[][] {Acquires.bytes(Acquires.keyOf(record))},
                first,
                Acquires.bytes(second));
        return new String(replies.get(0).get(0), StandardCharsets.US_ASCII);
    }

    private static String text(String script) {
        String resource = "/META-INF/idem/lua/" + script + ".lua";
        try (InputStream file = Objects.requireNonNull(RawScripts.class.getResourceAsStream(resource))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
