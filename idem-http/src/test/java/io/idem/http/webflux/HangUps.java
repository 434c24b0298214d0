package io.idem.http.webflux;

import io.idem.http.contract.Client;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Stands before all filters and knows the keys of requests that the server has cancelled because their client went away. */
final class HangUps implements WebFilter, Ordered {

    private final Set<String> keys = ConcurrentHashMap.newKeySet();

    boolean of(String key) {
        return keys.contains(key);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        String key = exchange.getRequest().getHeaders().getFirst(Client.KEY);
        return key == null ? chain.filter(exchange) : chain.filter(exchange).doOnCancel(() -> keys.add(key));
    }
}
