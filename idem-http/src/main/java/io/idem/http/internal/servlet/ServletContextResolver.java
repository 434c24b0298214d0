package io.idem.http.internal.servlet;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Resolves parameters of handler methods of the types {@link IdempotencyContext} and {@link IdempotencyKey}; null if the request runs
 * unprotected. Needed by work in other threads, where {@link IdempotencyContext#current()} is empty.
 */
public final class ServletContextResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        Class<?> type = parameter.getParameterType();
        return type == IdempotencyContext.class || type == IdempotencyKey.class;
    }

    @Override
    public @Nullable Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        HttpServletRequest servletRequest = request.getNativeRequest(HttpServletRequest.class);
        IdempotencyContext context = servletRequest == null
                ? null
                : ServletExchange.of(servletRequest)
                        .map(exchange -> exchange.operation().context())
                        .or(IdempotencyContext::current)
                        .orElse(null);
        return context == null || parameter.getParameterType() == IdempotencyContext.class ? context : context.key();
    }
}
