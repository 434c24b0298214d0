package io.idem.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/** Hints for native images: the scripts, which are resources, and a library whose presence is checked at run time. */
final class IdemRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("META-INF/idem/lua/*.lua");
        BindableRuntimeHintsRegistrar.forTypes(PlainRedisAddress.class).registerHints(hints, classLoader);
        hints.reflection().registerTypeIfPresent(classLoader, "com.github.benmanes.caffeine.cache.Caffeine");
    }
}
