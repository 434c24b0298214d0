package io.idem.http.setup;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A WebFlux endpoint. */
@RestController
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Ledger.class, Endpoint.Surroundings.class})
class Endpoint {

    private final Ledger ledger;

    Endpoint(Ledger ledger) {
        this.ledger = ledger;
    }

    @PostMapping("/v1/payments")
    Mono<String> pay(@RequestBody Mono<String> payment) {
        return payment.map(ledger::book);
    }

    /** The class path of these tests has Spring Security, and another server beside Netty. */
    static class Surroundings {

        @Bean
        SecurityWebFilterChain open(ServerHttpSecurity http) {
            return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .authorizeExchange(requests -> requests.anyExchange().permitAll())
                    .build();
        }

        @Bean
        NettyReactiveWebServerFactory server() {
            return new NettyReactiveWebServerFactory();
        }
    }
}
