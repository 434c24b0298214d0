package io.idem.http.setup;

import io.idem.http.IdempotentRoute;
import java.time.Duration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Functional routes: one that the settings protect, and one that a bean does. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Ledger.class, OpenServlets.class})
class Functions {

    @Bean
    RouterFunction<ServerResponse> payments(Ledger ledger) {
        return RouterFunctions.route()
                .POST("/v1/payments", request -> ServerResponse.ok().body(ledger.book(request.body(String.class))))
                .build();
    }

    @Bean
    RouterFunction<ServerResponse> refunds(Ledger ledger) {
        return RouterFunctions.route()
                .POST("/v1/refunds", request -> ServerResponse.ok().body(ledger.book(request.body(String.class))))
                .build();
    }

    @Bean
    IdempotentRoute protectedRefunds() {
        return IdempotentRoute.post("/v1/refunds").with(options -> options.waitFor(Duration.ofSeconds(10)));
    }
}
