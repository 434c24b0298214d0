package io.idem.http.internal.webflux;

import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Notes that a part of a body was read: Netty gives an empty body to those who read it again, which must not count as none. Belongs before
 * all other filters. Thread-safe.
 */
public final class TakenBodies implements WebFilter, Ordered {

    private static final String TAKEN = TakenBodies.class.getName();

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange.mutate()
                .request(new ServerHttpRequestDecorator(exchange.getRequest()) {
                    @Override
                    public Flux<DataBuffer> getBody() {
                        return super.getBody()
                                .doOnNext(part -> exchange.getAttributes().put(TAKEN, true));
                    }
                })
                .build());
    }

    /** Requires that no body was sent to a request from which nothing can be read. */
    static void requireNone(ServerWebExchange exchange) {
        if (exchange.getAttributes().containsKey(TAKEN)) {
            throw new IllegalStateException(
                    exchange.getRequest().getMethod() + " "
                            + exchange.getRequest().getPath()
                            + " is protected, and a filter has read its body before idem; leave the body to the protected handler");
        }
    }
}
