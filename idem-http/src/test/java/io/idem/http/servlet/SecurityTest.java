package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.SecurityContract;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** H-09, H-13: the filter runs behind Spring Security, and whose key it is comes from there. */
@AppTest(
        value = SecurityTest.Secured.class,
        settings = {"idem.http.routes[0].path=/orders/**", "idem.http.routes[1].path=/annotated/**"})
class SecurityTest extends SecurityContract {

    SecurityTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Orders.class, Shop.Annotated.class, Shop.Parts.class})
    static class Secured {

        @Bean
        SecurityFilterChain secured(HttpSecurity http) throws Exception {
            return http.csrf(CsrfConfigurer::disable)
                    .httpBasic(Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.requestMatchers("/idem/problems.html")
                            .permitAll()
                            .requestMatchers("/annotated/**")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("alice").password("{noop}secret").build(),
                    User.withUsername("bob").password("{noop}secret").build());
        }
    }
}
