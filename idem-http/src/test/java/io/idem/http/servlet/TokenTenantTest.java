package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.TokenTenantContract;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.SecurityFilterChain;

@AppTest(
        value = TokenTenantTest.Tokens.class,
        settings = {
            "idem.http.tenant=JWT_CLAIM",
            "idem.http.tenant-from.claim=org",
            "idem.http.routes[0].path=/orders/**"
        })
class TokenTenantTest extends TokenTenantContract {

    TokenTenantTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Orders.class, Shop.Parts.class})
    static class Tokens {

        @Bean
        SecurityFilterChain secured(HttpSecurity http) throws Exception {
            return http.csrf(CsrfConfigurer::disable)
                    .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }

        @Bean
        JwtDecoder decoder() {
            return TokenTenantContract::decoded;
        }
    }
}
