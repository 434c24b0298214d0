package io.idem.http.internal.webflux;

import io.idem.http.Routes;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Runs each request to a protected route once for its key. Belongs behind authentication. Thread-safe; does not block. */
public final class IdempotencyWebFilter implements WebFilter, Ordered {

    /** The order of the filter: after Spring Security (-100). */
    public static final int ORDER = -50;

    private final Supplier<Routes> routes;
    private final Protection protection;

    IdempotencyWebFilter(Supplier<Routes> routes, Protection protection) {
        this.routes = routes;
        this.protection = protection;
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Optional<Routes.Match> route = routes.get()
                .match(
                        exchange.getRequest().getMethod().name(),
                        () -> ReactiveRequestPaths.within(exchange.getRequest()));
        // A handling that another filter protects has its work in Reactor's context; one that a filter in front asks
        // for again has not.
        return Mono.deferContextual(context -> route.isEmpty() || context.hasKey(HandlerWork.class)
                ? chain.filter(exchange)
                : protection.handle(exchange, route.get(), chain::filter));
    }
}
