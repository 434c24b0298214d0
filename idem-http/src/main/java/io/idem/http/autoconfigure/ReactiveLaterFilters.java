package io.idem.http.autoconfigure;

import static java.util.Objects.requireNonNull;

import io.idem.http.IdempotentRoute;
import io.idem.http.internal.webflux.IdempotencyWebFilter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.context.ApplicationContext;
import org.springframework.http.server.reactive.ContextPathCompositeHandler;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;
import org.springframework.web.server.handler.FilteringWebHandler;
import org.springframework.web.server.handler.WebHandlerDecorator;

/**
 * The filters of a reactive application, as its {@code HttpHandler} calls them. They have no paths. Handlers around the one that answers
 * could refuse a caller as filters do and count as such; so does an {@code HttpHandler} that does not show what it calls.
 */
record ReactiveLaterFilters(ApplicationContext context) implements LaterFilters {

    @Override
    public List<LaterFilter> of(List<IdempotentRoute> routes) {
        return context.getBeanProvider(HttpHandler.class).stream()
                .flatMap(this::behind)
                .toList();
    }

    @Override
    public boolean hideForwarded() {
        return context.getBeanProvider(ForwardedHeaderTransformer.class).stream()
                .findAny()
                .isPresent();
    }

    private Stream<LaterFilter> behind(Object handler) {
        if (handler instanceof ContextPathCompositeHandler) {
            Object handlers = new DirectFieldAccessor(handler).getPropertyValue("handlerMap");
            return ((Map<?, ?>) requireNonNull(handlers)).values().stream().flatMap(this::behind);
        }
        List<LaterFilter> called = called(handler).map(this::named).toList();
        List<LaterFilter> behind = called.stream()
                .dropWhile(part -> !part.name().equals("idemWebFilter")
                        && !part.type().equals(IdempotencyWebFilter.class.getName()))
                .toList();
        return behind.isEmpty() ? called.stream() : behind.stream().skip(1);
    }

    /** Returns what a handler calls, in this order. One that does not show that counts itself, behind the beans that it may call. */
    private Stream<?> called(Object handler) {
        if (handler instanceof WebHandlerDecorator decorator) {
            List<WebFilter> filters =
                    handler instanceof FilteringWebHandler filtering ? filtering.getFilters() : List.of();
            return Stream.concat(Stream.of(handler), Stream.concat(filters.stream(), called(decorator.getDelegate())));
        }
        Stream<?> beans = context.getBeanProvider(WebFilter.class).orderedStream();
        return Stream.concat(handler instanceof WebHandler ? Stream.of() : beans, Stream.of(handler));
    }

    /** Names a filter by its bean. What is no such bean has the name that Boot gives to the handler of all requests. */
    private LaterFilter named(Object part) {
        String name = Stream.of(context.getBeanNamesForType(WebFilter.class))
                .filter(bean -> context.getBean(bean).equals(part))
                .findFirst()
                .orElse("httpHandler");
        return LaterFilter.of(name, AopProxyUtils.ultimateTargetClass(part));
    }
}
