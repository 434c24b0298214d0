package io.idem.jdbc.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Hints for native images: the scripts of the tables, which are resources, and the driver that is asked for. */
final class JdbcRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("META-INF/idem/sql/*/*.sql");
        hints.resources().registerPattern("META-INF/idem/sql/removals/*/*.sql");
        hints.reflection().registerTypeIfPresent(classLoader, "org.postgresql.core.BaseConnection");
    }
}
