package io.idem.http.autoconfigure;

import io.idem.http.IdempotentRoute;
import io.idem.http.internal.webflux.IdempotencyWebFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.webflux.autoconfigure.WebHttpHandlerBuilderCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;

/** The filters of a reactive application, as its {@code HttpHandler} is built with them. They have no paths. */
record ReactiveLaterFilters(ApplicationContext context) implements LaterFilters {

    @Override
    public List<LaterFilter> of(List<IdempotentRoute> routes) {
        WebHttpHandlerBuilder handler = WebHttpHandlerBuilder.applicationContext(context);
        context.getBeanProvider(WebHttpHandlerBuilderCustomizer.class)
                .orderedStream()
                .forEach(customizer -> customizer.customize(handler));
        List<WebFilter> filters = new ArrayList<>();
        handler.filters(filters::addAll);
        return filters.stream()
                .dropWhile(filter -> !(filter instanceof IdempotencyWebFilter))
                .map(this::named)
                .toList();
    }

    /** Names a filter. CORS is Spring's in every class: it is applied before the idempotency filter. */
    private LaterFilter named(WebFilter filter) {
        Class<?> type = filter instanceof CorsWebFilter ? CorsWebFilter.class : ClassUtils.getUserClass(filter);
        String name = Stream.of(context.getBeanNamesForType(WebFilter.class))
                .filter(bean -> context.getBean(bean).equals(filter))
                .findFirst()
                .orElse(type.getName());
        return new LaterFilter(name, type.getName());
    }
}
