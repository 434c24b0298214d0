package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.CsrfContract;
import io.idem.http.contract.Runs;
import java.net.http.HttpRequest;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@AppTest(
        value = CsrfTest.Guarded.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/orders/**",
            "idem.http.routes[1].path=/open/**"
        })
class CsrfTest extends CsrfContract {

    CsrfTest(App app) {
        super(app);
    }

    /** As Spring Security's reference has it for uploads. */
    @Test
    void aQueryWithAFreshlyMaskedTokenIsTheSameRequest() {
        assertSame(withToken("item=book"), withToken("item=book"));
    }

    private HttpRequest.Builder withToken(String query) {
        return inSession(client.request("/orders/form?" + query + "&_csrf=" + token() + "&note=one"))
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .POST(HttpRequest.BodyPublishers.noBody());
    }

    @RestController
    static class Own {

        private final Runs runs;

        Own(Runs runs) {
            this.runs = runs;
        }

        @GetMapping("/token")
        String token(CsrfToken token) {
            return token.getToken();
        }

        @PostMapping("/open/form")
        String open(@RequestHeader(Client.KEY) String key, @RequestParam String item) {
            return item + runs.enter(key);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Orders.class, Shop.Parts.class, Own.class})
    static class Guarded {

        @Bean
        @Order(1)
        SecurityFilterChain open(HttpSecurity http) throws Exception {
            return http.securityMatcher("/open/**")
                    .csrf(CsrfConfigurer::disable)
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }

        @Bean
        @Order(2)
        SecurityFilterChain guarded(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }
}
