package io.idem.http.autoconfigure;

import io.idem.http.OperationStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image has to keep of this module: what is written as JSON, the page that explains problems, and the libraries whose
 * presence is asked for while it runs. Without the latter an application with Spring Security would be taken for one without.
 */
final class HttpRuntimeHints implements RuntimeHintsRegistrar {

    private static final List<String> LIBRARIES = List.of(
            "org.springframework.security.web.SecurityFilterChain",
            "org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken",
            "reactor.netty.Connection");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), OperationStatus.class);
        hints.resources().registerPattern("META-INF/resources/idem/*");
        LIBRARIES.forEach(library -> hints.reflection().registerTypeIfPresent(classLoader, library));
    }
}
