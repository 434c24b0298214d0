package io.idem.http.internal.webflux;

import io.idem.http.internal.admission.FilterParts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Lets browsers send keys to protected routes and read idem's response headers, if the application's CORS rules admit the request itself.
 * Belongs before all other CORS processing: it hides the key's header of a preflight from that, and adds idem's headers to the allowed ones
 * if the origin is admitted. No origin, method or other header is admitted in addition. Thread-safe; does not block.
 */
public final class IdempotencyCorsWebFilter implements WebFilter, Ordered {

    private final FilterParts parts;

    public IdempotencyCorsWebFilter(FilterParts parts) {
        this.parts = parts;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        if (CorsUtils.isPreFlightRequest(request)) {
            return preflight(exchange, chain);
        }
        if (request.getHeaders().getOrigin() != null && isProtected(request, request.getMethod())) {
            addOnceAdmitted(exchange, HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, parts.exposedHeaders());
        }
        return chain.filter(exchange);
    }

    private Mono<Void> preflight(ServerWebExchange exchange, WebFilterChain chain) {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        List<String> others = new ArrayList<>(headers.getAccessControlRequestHeaders());
        boolean asked = others.removeIf(parts.keyHeader()::equalsIgnoreCase)
                && isProtected(exchange.getRequest(), headers.getAccessControlRequestMethod());
        if (!asked) {
            return chain.filter(exchange);
        }
        addOnceAdmitted(exchange, HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, parts.keyHeader());
        return chain.filter(exchange.mutate()
                .request(request -> request.headers(seen -> seen.setAccessControlRequestHeaders(others)))
                .build());
    }

    private boolean isProtected(ServerHttpRequest request, @Nullable HttpMethod method) {
        return method != null
                && parts.routes()
                        .get()
                        .find(method.name(), () -> ReactiveRequestPaths.within(request))
                        .isPresent();
    }

    /** Adds names to those of a header before the answer is sent, if the origin was admitted until then. */
    private static void addOnceAdmitted(ServerWebExchange exchange, String header, String names) {
        HttpHeaders headers = exchange.getResponse().getHeaders();
        exchange.getResponse()
                .beforeCommit(() -> Mono.fromRunnable(() -> {
                    if (headers.getAccessControlAllowOrigin() != null) {
                        headers.set(header, FilterParts.listing(headers.getOrEmpty(header), names));
                    }
                }));
    }
}
