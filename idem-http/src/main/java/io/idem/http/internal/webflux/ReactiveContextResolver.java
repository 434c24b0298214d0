package io.idem.http.internal.webflux;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.SyncHandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;

/**
 * Resolves parameters of handler methods of the types {@link IdempotencyContext} and {@link IdempotencyKey}; null if the request runs
 * unprotected. Adds itself to the adapters of every application, also of one that has a {@code WebFluxConfigurationSupport} of its own.
 */
public final class ReactiveContextResolver implements SyncHandlerMethodArgumentResolver, BeanPostProcessor {

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof RequestMappingHandlerAdapter adapter) {
            ArgumentResolverConfigurer resolvers = Objects.requireNonNullElseGet(
                    adapter.getArgumentResolverConfigurer(), ArgumentResolverConfigurer::new);
            resolvers.addCustomResolver(this);
            adapter.setArgumentResolverConfigurer(resolvers);
        }
        return bean;
    }

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
