package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.CsrfContract;
import io.idem.http.contract.Runs;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

@Tag("extended")
@AppTest(
        value = ReactiveCsrfTest.Guarded.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/orders/**",
            "idem.http.routes[1].path=/open/**"
        })
class ReactiveCsrfTest extends CsrfContract {

    ReactiveCsrfTest(App app) {
        super(app);
    }

    @RestController
    static class Own {

        private final Runs runs;

        Own(Runs runs) {
            this.runs = runs;
        }

        @GetMapping("/token")
        Mono<String> token(ServerWebExchange exchange) {
            Mono<CsrfToken> token = Objects.requireNonNull(exchange.getAttribute(CsrfToken.class.getName()));
            return token.map(CsrfToken::getToken);
        }

        @PostMapping("/open/form")
        Mono<String> open(@RequestHeader(Client.KEY) String key, ServerWebExchange exchange) {
            return exchange.getFormData()
                    .flatMap(form -> ReactiveShop.run(runs, key, run -> form.getFirst("item") + run));
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Orders.class, ReactiveShop.Parts.class, Own.class})
    static class Guarded {

        @Bean
        @Order(1)
        SecurityWebFilterChain open(ServerHttpSecurity http) {
            return http.securityMatcher(new PathPatternParserServerWebExchangeMatcher("/open/**"))
                    .csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .authorizeExchange(requests -> requests.anyExchange().permitAll())
                    .build();
        }

        @Bean
        @Order(2)
        SecurityWebFilterChain guarded(ServerHttpSecurity http) {
            return http.authorizeExchange(requests -> requests.anyExchange().permitAll())
                    .build();
        }
    }
}
