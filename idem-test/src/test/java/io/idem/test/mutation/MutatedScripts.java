package io.idem.test.mutation;

import io.idem.redis.RedisSettings;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.lettuce.core.RedisURI;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Loads the Redis store once more, with another text of one script. */
final class MutatedScripts extends ClassLoader {

    private static final String STORE = RedisIdempotencyStore.class.getName();

    private final Mutant mutant;

    private MutatedScripts(Mutant mutant) {
        super(RedisIdempotencyStore.class.getClassLoader());
        this.mutant = mutant;
    }

    /** The store with the mutant in place of the script. */
    static IdempotencyStore store(Mutant mutant, String uri) {
        try {
            ClassLoader loader = new MutatedScripts(mutant);
            Class<?> settings = loader.loadClass(RedisSettings.class.getName());
            Object values = settings.getMethod("of", RedisURI.class).invoke(null, RedisURI.create(uri));
            return (IdempotencyStore)
                    loader.loadClass(STORE).getConstructor(settings).newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The store cannot be loaded with " + mutant, e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = isOfRedis(name) ? findLoadedClass(name) : super.loadClass(name, resolve);
            return loaded == null ? define(name) : loaded;
        }
    }

    private static boolean isOfRedis(String name) {
        return name.startsWith("io.idem.redis.") || name.startsWith("io.idem.internal.redis.");
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] content = bytes.readAllBytes();
            return defineClass(name, content, 0, content.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        return name.endsWith("/" + mutant.script() + ".lua")
                ? new ByteArrayInputStream(mutant.text().getBytes(StandardCharsets.UTF_8))
                : super.getResourceAsStream(name);
    }
}
