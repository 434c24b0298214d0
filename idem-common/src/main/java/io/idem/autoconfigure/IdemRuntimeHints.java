package io.idem.autoconfigure;

import io.idem.Idempotent;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/**
 * Hints for native images: the scripts, which are resources, the attributes of {@link Idempotent}, and the libraries whose presence is
 * checked at run time.
 */
final class IdemRuntimeHints implements RuntimeHintsRegistrar {

    private static final List<String> LIBRARIES = List.of(
            "com.github.benmanes.caffeine.cache.Caffeine",
            "io.idem.http.IdempotentRoute",
            "org.springframework.transaction.interceptor.TransactionInterceptor");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("META-INF/idem/lua/*.lua");
        hints.reflection().registerType(Idempotent.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        BindableRuntimeHintsRegistrar.forTypes(PlainRedisAddress.class).registerHints(hints, classLoader);
        new BindingReflectionHintsRegistrar()
                .registerReflectionHints(
                        hints.reflection(),
                        OperatorReport.class,
                        OperatorReport.Listing.class,
                        OperatorReport.Act.class);
        LIBRARIES.forEach(library -> hints.reflection().registerTypeIfPresent(classLoader, library));
    }
}
