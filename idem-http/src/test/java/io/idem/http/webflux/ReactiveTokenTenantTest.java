package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.TokenTenantContract;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import reactor.core.publisher.Mono;

@Tag("extended")
@AppTest(
        value = ReactiveTokenTenantTest.Tokens.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=JWT_CLAIM",
            "idem.http.tenant-from.claim=org",
            "idem.http.routes[0].path=/orders/**"
        })
class ReactiveTokenTenantTest extends TokenTenantContract {

    ReactiveTokenTenantTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Orders.class, ReactiveShop.Parts.class})
    static class Tokens {

        @Bean
        SecurityWebFilterChain secured(ServerHttpSecurity http) {
            return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
                    .authorizeExchange(requests -> requests.anyExchange().authenticated())
                    .build();
        }

        @Bean
        ReactiveJwtDecoder decoder() {
            return token -> Mono.fromCallable(() -> TokenTenantContract.decoded(token));
        }
    }
}
