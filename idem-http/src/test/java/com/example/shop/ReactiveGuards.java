package com.example.shop;

import io.idem.http.IdempotentRoute;
import io.idem.http.TenantResolver;
import io.idem.http.contract.FaultyStore;
import io.idem.http.internal.webflux.IdempotencyWebFilter;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.webflux.autoconfigure.WebHttpHandlerBuilderCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ContextPathCompositeHandler;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.MatcherSecurityWebFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.WebFilterChainProxy;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.server.handler.FilteringWebHandler;
import org.springframework.web.server.handler.WebHandlerDecorator;
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

    /** The handler of all requests is built by hand, with a further filter. */
    @Import(Api.class)
    public static class OwnHandler {

        @Bean
        HttpHandler handler(ApplicationContext context) {
            return WebHttpHandlerBuilder.applicationContext(context)
                    .filter(new Guard())
                    .build();
        }
    }

    /** The handler of all requests hides what it calls. */
    @Import(Api.class)
    public static class HiddenHandler {

        @Bean
        HttpHandler httpHandler(ApplicationContext context) {
            HttpHandler guarded = WebHttpHandlerBuilder.applicationContext(context)
                    .filter(new Guard())
                    .build();
            return (request, response) -> guarded.handle(request, response).then();
        }
    }

    /** Each of several paths has a handler. */
    @Import(Api.class)
    public static class HandlerByPath {

        @Bean
        HttpHandler handler(ApplicationContext context) {
            WebHttpHandlerBuilder builder = WebHttpHandlerBuilder.applicationContext(context);
            HttpHandler open = builder.clone().build();
            return new ContextPathCompositeHandler(Map.of(
                    "/open", open, "/guarded", builder.filter(new Guard()).build()));
        }
    }

    /** The filters of the application are called behind those that are beans. */
    @Import(Api.class)
    public static class InnerFilters {

        @Bean
        static BeanPostProcessor filtering() {
            return replacing(
                    DispatcherHandler.class, dispatcher -> new FilteringWebHandler(dispatcher, List.of(new Guard())));
        }
    }

    /** A handler of the application refuses callers before it calls the dispatcher's. */
    @Import(Api.class)
    public static class GuardingHandler {

        @Bean
        static BeanPostProcessor guarding() {
            return replacing(DispatcherHandler.class, GuardingDecorator::new);
        }
    }

    static class GuardingDecorator extends WebHandlerDecorator {

        GuardingDecorator(WebHandler guarded) {
            super(guarded);
        }

        @Override
        public Mono<Void> handle(ServerWebExchange exchange) {
            return guard(exchange, super::handle);
        }
    }

    /** A post-processor hides the class of every filter. */
    @Import(Unordered.class)
    public static class Wrapped {

        @Bean
        static BeanPostProcessor wrapping() {
            return replacing(WebFilter.class, Observed::new);
        }
    }

    /** A post-processor hides the class of idem's filter. */
    @Import(InFront.class)
    public static class WrappedIdem {

        @Bean
        static BeanPostProcessor wrapping() {
            return replacing(IdempotencyWebFilter.class, Observed::new);
        }
    }

    private static <T> BeanPostProcessor replacing(Class<T> type, Function<T, Object> replacement) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return type.isInstance(bean) ? replacement.apply(type.cast(bean)) : bean;
            }
        };
    }

    record Observed(WebFilter filter) implements WebFilter, Ordered {

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            return filter.filter(exchange, chain);
        }

        @Override
        public int getOrder() {
            return filter instanceof Ordered ordered ? ordered.getOrder() : Ordered.LOWEST_PRECEDENCE;
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

    /** A class of the application that extends Spring Security's filter. */
    @Import(Handlers.class)
    public static class SecuritySubclass {

        @Bean
        @Order(10)
        WebFilter behind() {
            return new WebFilterChainProxy(new MatcherSecurityWebFilterChain(
                    ServerWebExchangeMatchers.anyExchange(), List.of(new Guard()))) {};
        }
    }
}
