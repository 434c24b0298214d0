package io.idem.http.clients;

import io.idem.Idempotent;
import io.idem.http.contract.Client;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.Runs;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A protected handler whose duplicates are answered with 409 while it runs, and one whose duplicates wait. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(ClientsApp.Payments.class)
public class ClientsApp {

    public static final String AT_ONCE = "/payments";
    public static final String WAITS = "/waits/payments";

    @Bean
    FaultyStore store() {
        return new FaultyStore();
    }

    @Bean
    Runs runs() {
        return new Runs();
    }

    @Bean
    SecurityFilterChain open(HttpSecurity http) throws Exception {
        return http.csrf(CsrfConfigurer::disable)
                .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .build();
    }

    @RestController
    static class Payments {

        private final Runs runs;

        Payments(Runs runs) {
            this.runs = runs;
        }

        @Idempotent
        @PostMapping(AT_ONCE)
        ResponseEntity<String> pay(
                @RequestHeader(Client.KEY) String key, @RequestParam(required = false) @Nullable String unavailable) {
            int run = runs.enter(key);
            return unavailable != null && run == 1
                    ? ResponseEntity.status(503)
                            .header(HttpHeaders.RETRY_AFTER, "1")
                            .build()
                    : ResponseEntity.ok("paid by run " + run);
        }

        @Idempotent(waitFor = "20s")
        @PostMapping(WAITS)
        ResponseEntity<String> payOrWait(@RequestHeader(Client.KEY) String key) {
            return ResponseEntity.ok("paid by run " + runs.enter(key));
        }
    }
}
