package io.idem.http.internal.webflux;

import io.idem.http.Routes;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Judges requests to protected routes by the application's CORS rules ({@code CorsWebFilter}, {@code @CrossOrigin},
 * {@code WebFluxConfigurer}) before their key is taken. Spring judges them behind the idempotency filter otherwise, the first of these also,
 * unless it is ordered: then replays would be given to every origin, with the headers of the first one, and refusals could be read by
 * none. Belongs right before {@link IdempotencyWebFilter}. Thread-safe; blocks nobody.
 */
public final class HandlerCorsWebFilter implements WebFilter, Ordered {

    /** Where the filter belongs: behind authentication, before the idempotency filter. */
    public static final int ORDER = IdempotencyWebFilter.ORDER - 1;

    private final Supplier<Routes> routes;
    private final Supplier<List<CorsWebFilter>> filters;
    private final Supplier<List<HandlerMapping>> mappings;

    /**
     * A filter.
     *
     * @param filters the application's own, in their order
     * @param mappings the dispatcher handler's, in its order
     */
    public HandlerCorsWebFilter(
            Supplier<Routes> routes, Supplier<List<CorsWebFilter>> filters, Supplier<List<HandlerMapping>> mappings) {
        this.routes = routes;
        this.filters = filters;
        this.mappings = mappings;
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        boolean judged = request.getHeaders().getOrigin() != null
                && !CorsUtils.isPreFlightRequest(request)
                && routes.get()
                        .find(request.getMethod().name(), () -> ReactiveRequestPaths.within(request))
                        .isPresent();
        return judged ? byFilters(chain).filter(exchange) : chain.filter(exchange);
    }

    /** A filter that judges a second time finds the origin admitted. */
    private WebFilterChain byFilters(WebFilterChain chain) {
        WebFilterChain next = exchange -> byHandler(exchange, chain);
        for (CorsWebFilter filter : filters.get()) {
            WebFilterChain rest = next;
            next = exchange -> filter.filter(exchange, rest);
        }
        return next;
    }

    /** A mapping judges when it is asked for the handler. */
    private Mono<Void> byHandler(ServerWebExchange exchange, WebFilterChain chain) {
        return Flux.fromIterable(mappings.get())
                .concatMap(mapping -> handler(mapping, exchange))
                .next()
                .then(Mono.defer(() -> exchange.getResponse().getStatusCode() == HttpStatus.FORBIDDEN
                        ? exchange.getResponse().setComplete()
                        : chain.filter(exchange)));
    }

    /** What a mapping refuses, it will refuse again when the request gets there. */
    private static Mono<Object> handler(HandlerMapping mapping, ServerWebExchange exchange) {
        return mapping.getHandler(exchange).onErrorResume(refused -> Mono.empty());
    }
}
