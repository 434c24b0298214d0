package io.idem.model.trace;

import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisURI;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Loads the Redis store with scripts that add what they did to a stream, in the same call. */
final class LoggingScripts extends ClassLoader {

    /** Name of the stream. */
    static final String STREAM = "trace";

    /** For each script that is logged: how many records a call has, and owner and fence of record i. */
    private static final Map<String, String> SCRIPTS = Map.of(
            "acquire",
            "#KEYS, function(i) return string.sub(ARGV[3 + i], 1, 12), 0 end",
            "complete",
            "#ARGV - 1, function(i) return string.sub(ARGV[1 + i], 8, 19), struct.unpack('>I7', ARGV[1 + i]) end",
            "fail",
            "#ARGV / 5, function(i) return ARGV[5 * i - 4], tonumber(ARGV[5 * i - 3]) end",
            "renew",
            "#ARGV / 4, function(i) return ARGV[4 * i - 3], tonumber(ARGV[4 * i - 2]) end");

    /** Logs the time that the script itself has read: Redis does not stop it while a script runs. */
    private static final String LOGGED = """
            local traced_count, traced_who = $WHO
            local traced_stride = #KEYS / traced_count
            local traced_before = {}
            local traced_redis, traced_time = redis, nil
            local redis = setmetatable({call = function(name, ...)
              local answer = traced_redis.call(name, ...)
              if name == 'TIME' then traced_time = answer end
              return answer
            end}, {__index = traced_redis})
            for i = 1, traced_count do
              traced_before[i] = redis.call('GET', KEYS[(i - 1) * traced_stride + 1]) or ''
            end
            local traced_reply = (function()
            $BODY
            end)()
            traced_time = traced_time or redis.call('TIME')
            for i = 1, traced_count do
              local reply = type(traced_reply) == 'table' and not traced_reply.ok and traced_reply[i] or traced_reply
              local answer = type(reply) == 'number' and 'FRESH' or type(reply) == 'string' and reply or reply.ok or reply[1]
              if answer == 'GRANTED' then answer = reply[2] end
              local owner, fence = traced_who(i)
              redis.call('XADD', '$STREAM', '*', 'step', '$STEP', 'key', KEYS[(i - 1) * traced_stride + 1], 'owner', owner,
                'fence', string.format('%d', fence), 'answer', answer, 'before', traced_before[i],
                'after', redis.call('GET', KEYS[(i - 1) * traced_stride + 1]) or '',
                'now', string.format('%d', traced_time[1] * 1000000 + traced_time[2]))
            end
            return traced_reply
            """;

    private final UnaryOperator<String> mistake;

    private LoggingScripts(UnaryOperator<String> mistake) {
        super(RedisIdempotencyStore.class.getClassLoader());
        this.mistake = mistake;
    }

    /**
     * Returns a store with these scripts.
     *
     * @param mistake changes the text of each script before it logs
     */
    static IdempotencyStore store(String uri, UnaryOperator<String> mistake) {
        try {
            ClassLoader loader = new LoggingScripts(mistake);
            Object settings = loader.loadClass(RedisSettings.class.getName())
                    .getMethod("of", RedisURI.class)
                    .invoke(null, RedisURI.create(uri));
            return (IdempotencyStore) loader.loadClass(RedisIdempotencyStore.class.getName())
                    .getConstructor(settings.getClass())
                    .newInstance(settings);
        } catch (ReflectiveOperationException broken) {
            throw new IllegalStateException("The store cannot be loaded with scripts that log", broken);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("io.idem.redis.") && !name.startsWith("io.idem.internal.redis.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? findClass(name) : known;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] content = content(name.replace('.', '/') + ".class");
        return defineClass(name, content, 0, content.length);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        String script = name.substring(name.lastIndexOf('/') + 1).replace(".lua", "");
        return name.endsWith(".lua") && SCRIPTS.containsKey(script)
                ? new ByteArrayInputStream(logged(script, new String(content(name), StandardCharsets.UTF_8))
                        .getBytes(StandardCharsets.UTF_8))
                : super.getResourceAsStream(name);
    }

    /** Keeps the first line, which says how Redis is to run the script. */
    private String logged(String script, String text) {
        int body = text.indexOf('\n');
        return text.substring(0, body + 1)
                + LOGGED.replace("$WHO", SCRIPTS.getOrDefault(script, ""))
                        .replace("$STREAM", STREAM)
                        .replace("$STEP", script)
                        .replace("$BODY", mistake.apply(text.substring(body + 1)));
    }

    private byte[] content(String resource) {
        try (InputStream stream = getParent().getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException(resource + " is not on the class path");
            }
            return stream.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(resource + " cannot be read", unreadable);
        }
    }
}
