package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.CorsContract;
import io.idem.http.contract.Runs;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource;
import org.springframework.web.reactive.config.CorsRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

@Tag("extended")
@AppTest(
        value = ReactiveCorsTest.Browsed.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.headers.retention=Idempotency-Retention",
            "idem.http.routes[0].path=/cors/**"
        })
class ReactiveCorsTest extends CorsContract {

    ReactiveCorsTest(App app) {
        super(app);
    }

    @RestController
    static class Handlers {

        private final Runs runs;

        Handlers(Runs runs) {
            this.runs = runs;
        }

        @PostMapping("/{kind}/{way:filter|unordered|behind|configurer|written}")
        Mono<String> plain(@RequestHeader(Client.KEY) String key) {
            return ReactiveShop.run(runs, key, run -> "run " + run);
        }

        @CrossOrigin(
                origins = {ORIGIN, SECOND_ORIGIN},
                allowedHeaders = "content-type")
        @PostMapping("/{kind}/annotation")
        Mono<String> annotated(@RequestHeader(Client.KEY) String key) {
            return ReactiveShop.run(runs, key, run -> "run " + run);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class, Handlers.class})
    static class Browsed implements WebFluxConfigurer {

        @Bean
        @Order(-1000)
        CorsWebFilter ordered() {
            return judging("/filter");
        }

        @Bean
        CorsWebFilter unordered() {
            return judging("/unordered");
        }

        @Bean
        @Order(0)
        CorsWebFilter behind() {
            return judging("/behind");
        }

        @Bean
        @Order(-1000)
        WebFilter written() {
            return (exchange, chain) -> {
                if (!exchange.getRequest().getPath().value().equals("/cors/written")) {
                    return chain.filter(exchange);
                }
                HttpHeaders headers = exchange.getResponse().getHeaders();
                headers.set("Access-Control-Expose-Headers", "Link, retry-after");
                headers.set("Access-Control-Allow-Origin", ORIGIN);
                headers.add("Access-Control-Expose-Headers", "X-Own,Link");
                headers.set("Access-Control-Allow-Headers", "content-type, idempotency-key");
                return exchange.getRequest().getMethod().equals(HttpMethod.OPTIONS)
                        ? exchange.getResponse().setComplete()
                        : chain.filter(exchange);
            };
        }

        /** Others would have their preflights answered by it too. */
        private static CorsWebFilter judging(String end) {
            CorsConfiguration rules = new CorsConfiguration();
            rules.setAllowedOrigins(List.of(ORIGIN, SECOND_ORIGIN));
            rules.setAllowedMethods(List.of("POST"));
            rules.setAllowedHeaders(List.of("content-type"));
            UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
            source.registerCorsConfiguration("/**", rules);
            return new CorsWebFilter(source) {
                @Override
                public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
                    return exchange.getRequest().getPath().value().endsWith(end)
                            ? super.filter(exchange, chain)
                            : chain.filter(exchange);
                }
            };
        }

        @Override
        public void addCorsMappings(CorsRegistry registry) {
            registry.addMapping("/*/configurer")
                    .allowedOrigins(ORIGIN, SECOND_ORIGIN)
                    .allowedMethods("POST")
                    .allowedHeaders("content-type")
                    .exposedHeaders("Retry-After", "X-Own");
        }
    }
}
