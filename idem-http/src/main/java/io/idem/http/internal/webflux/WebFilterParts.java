package io.idem.http.internal.webflux;

import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.http.internal.admission.FilterParts;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.server.WebExceptionHandler;

/**
 * The replaceable parts of the WebFlux filter, from which it is made, also in applications without Spring Boot's auto-configuration.
 * Such an application makes a {@link ReactiveHandlerCalls} a bean: without it no answer would be known to be a handler's, and none would be stored.
 * Immutable.
 *
 * @param executor executor of operations
 * @param common parts that every filter has
 * @param codecs codecs of forms and multipart bodies
 * @param errors supplier of the application's error handlers, in their order; called when a handler fails
 */
public record WebFilterParts(
        AsyncIdempotentExecutor executor,
        FilterParts common,
        ServerCodecConfigurer codecs,
        Supplier<List<WebExceptionHandler>> errors) {

    /** Creates the filter. */
    public IdempotencyWebFilter filter() {
        return new IdempotencyWebFilter(common.routes(), new Protection(this));
    }
}
