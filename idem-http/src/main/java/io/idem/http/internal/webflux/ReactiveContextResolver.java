package io.idem.http.internal.webflux;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.SyncHandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;

/**
 * Resolves parameters of handler methods of the types {@link IdempotencyContext} and {@link IdempotencyKey}; null if the request runs
 * unprotected.
 */
public final class ReactiveContextResolver implements SyncHandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        Class<?> type = parameter.getParameterType();
        return type == IdempotencyContext.class || type == IdempotencyKey.class;
    }

    @Override
    public @Nullable Object resolveArgumentValue(
            MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
        IdempotencyContext context = ReactiveExchange.contextOf(exchange).orElse(null);
        return context == null || parameter.getParameterType() == IdempotencyContext.class ? context : context.key();
    }
}
