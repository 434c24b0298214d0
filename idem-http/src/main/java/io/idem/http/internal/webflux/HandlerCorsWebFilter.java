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
 * Applies the application's CORS rules (a {@code CorsWebFilter} bean, {@code @CrossOrigin}, {@code WebFluxConfigurer}) to requests to
 * protected routes before their key is taken. Spring applies them behind the idempotency filter (a {@code CorsWebFilter} bean too, unless
 * it is ordered): then replays would be given to every origin, with the headers for the first one, and no origin could read refusals.
 * Belongs right before {@link IdempotencyWebFilter}. Thread-safe; does not block.
 */
public final class HandlerCorsWebFilter implements WebFilter, Ordered {

    /** The order of the filter: behind authentication, before the idempotency filter. */
    public static final int ORDER = IdempotencyWebFilter.ORDER - 1;

    private final Supplier<Routes> routes;
    private final Supplier<List<CorsWebFilter>> filters;
    private final Supplier<List<HandlerMapping>> mappings;

    /**
     * Creates a filter.
     *
     * @param filters CORS filters of the application, in their order
     * @param mappings handler mappings of the dispatcher handler, in their order
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

    /** Calls the application's CORS filters. When the server calls them again, they find the origin admitted. */
    private WebFilterChain byFilters(WebFilterChain chain) {
        WebFilterChain next = exchange -> byHandler(exchange, chain);
        for (CorsWebFilter filter : filters.get()) {
            WebFilterChain rest = next;
            next = exchange -> filter.filter(exchange, rest);
        }
        return next;
    }

    /** Asks the mappings for the handler, by which they apply its CORS rules. */
    private Mono<Void> byHandler(ServerWebExchange exchange, WebFilterChain chain) {
        return Flux.fromIterable(mappings.get())
                .concatMap(mapping -> handler(mapping, exchange))
                .next()
                .then(Mono.defer(() -> exchange.getResponse().getStatusCode() == HttpStatus.FORBIDDEN
                        ? exchange.getResponse().setComplete()
                        : chain.filter(exchange)));
    }

    /** Returns the handler of a mapping; none if the mapping fails, as it will again when the dispatcher handler asks it. */
    private static Mono<Object> handler(HandlerMapping mapping, ServerWebExchange exchange) {
        return mapping.getHandler(exchange).onErrorResume(refused -> Mono.empty());
    }
}
