package io.idem.http.internal.servlet;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.handler.HandlerExceptionResolverComposite;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * Resolves parameters of handler methods of the types {@link IdempotencyContext} and {@link IdempotencyKey}; null if the request runs
 * unprotected. Needed by work in other threads, where {@link IdempotencyContext#current()} is empty. Adds itself to the adapters and
 * exception handlers of every application, also of one that has a {@code WebMvcConfigurationSupport} of its own.
 */
public final class ServletContextResolver implements HandlerMethodArgumentResolver, BeanPostProcessor {

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof RequestMappingHandlerAdapter adapter) {
            List<HandlerMethodArgumentResolver> resolvers =
                    new ArrayList<>(Objects.requireNonNullElse(adapter.getCustomArgumentResolvers(), List.of()));
            resolvers.add(this);
            adapter.setCustomArgumentResolvers(resolvers);
        } else if (bean instanceof HandlerExceptionResolverComposite exceptions) {
            exceptions.getExceptionResolvers().stream()
                    .filter(ExceptionHandlerExceptionResolver.class::isInstance)
                    .map(resolver -> ((ExceptionHandlerExceptionResolver) resolver).getArgumentResolvers())
                    .filter(Objects::nonNull)
                    .forEach(resolvers -> resolvers.addResolver(this));
        }
        return bean;
    }

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
