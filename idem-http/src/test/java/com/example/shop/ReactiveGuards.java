package com.example.shop;

import io.idem.http.IdempotentRoute;
import io.idem.http.TenantResolver;
import io.idem.http.contract.FaultyStore;
import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.webflux.autoconfigure.WebHttpHandlerBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.MatcherSecurityWebFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.WebFilterChainProxy;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Reactive applications with a filter that admits only callers who send {@code X-Pass}, each registered in its own way. */
public final class ReactiveGuards {

    private ReactiveGuards() {}

    /** A filter that admits callers with a pass. */
    public static class Guard implements WebFilter {

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            return guard(exchange, chain);
        }
    }

    private static Mono<Void> guard(ServerWebExchange exchange, WebFilterChain chain) {
        if (exchange.getRequest().getHeaders().getFirst("X-Pass") != null) {
            return chain.filter(exchange);
        }
        exchange.getResponse().setStatusCode(HttpStatus.UNAUTHORIZED);
        return exchange.getResponse().setComplete();
    }

    @RestController
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class Handlers {

        @Bean
        FaultyStore store() {
            return new FaultyStore();
        }

        @Bean
        @ConditionalOnProperty("single-route")
        IdempotentRoute singleRoute() {
            return IdempotentRoute.post("/orders/single").with(options -> options.tenants(TenantResolver.single()));
        }

        @PostMapping("/orders")
        Mono<String> order() {
            return Mono.just("secret");
        }
    }

    @Import(Handlers.class)
    public static class Api {

        @Bean
        SecurityWebFilterChain open(ServerHttpSecurity http) {
            return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .authorizeExchange(requests -> requests.anyExchange().permitAll())
                    .build();
        }
    }

    @Import(Api.class)
    public static class Unordered {

        @Bean
        Guard unordered() {
            return new Guard();
        }
    }

    @Import(Api.class)
    public static class Lambda {

        @Bean
        WebFilter lambda() {
            return ReactiveGuards::guard;
        }
    }

    @Import(Api.class)
    public static class Anonymous {

        @Bean
        WebFilter anonymous() {
            return new WebFilter() {
                @Override
                public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
                    return guard(exchange, chain);
                }
            };
        }
    }

    @Import(Api.class)
    public static class Customizer {

        @Bean
        WebHttpHandlerBuilderCustomizer customizer() {
            return handler -> handler.filter(new Guard());
        }
    }

    @Import(Api.class)
    public static class InFront {

        @Bean
        @Order(-60)
        Guard inFront() {
            return new Guard();
        }
    }

    @Import(Api.class)
    public static class Cors {

        @Bean
        CorsWebFilter cors() {
            return new CorsWebFilter(new UrlBasedCorsConfigurationSource()) {};
        }
    }

    @Import(Handlers.class)
    public static class SecurityBehind {

        @Bean
        @Order(10)
        WebFilterChainProxy behind() {
            return new WebFilterChainProxy(
                    new MatcherSecurityWebFilterChain(ServerWebExchangeMatchers.anyExchange(), List.of(new Guard())));
        }
    }
}
