package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.SecurityContract;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** H-09, H-13: the filter runs behind Spring Security, and whose key it is comes from there. */
@AppTest(
        value = ReactiveSecurityTest.Secured.class,
        type = WebApplicationType.REACTIVE,
        settings = {"idem.http.routes[0].path=/orders/**", "idem.http.routes[1].path=/annotated/**"})
class ReactiveSecurityTest extends SecurityContract {

    ReactiveSecurityTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Orders.class, ReactiveShop.Annotated.class, ReactiveShop.Parts.class})
    static class Secured {

        @Bean
        SecurityWebFilterChain secured(ServerHttpSecurity http) {
            return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .httpBasic(Customizer.withDefaults())
                    .authorizeExchange(requests -> requests.pathMatchers("/annotated/**")
                            .permitAll()
                            .anyExchange()
                            .authenticated())
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(
                    User.withUsername("alice").password("{noop}secret").build(),
                    User.withUsername("bob").password("{noop}secret").build());
        }
    }
}
