package io.idem.http.servlet;

import io.idem.IdempotencyContext;
import io.idem.http.IdempotentRoute;
import io.idem.http.contract.AcmeKey;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Deliveries;
import io.idem.http.contract.Runs;
import io.idem.http.contract.WebhookContract;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

@AppTest(value = WebhookTest.Receiver.class, settings = WebhookContract.SETTINGS)
class WebhookTest extends WebhookContract {

    WebhookTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Receiver.Handlers.class})
    static class Receiver {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        IdempotentRoute acme() {
            return AcmeKey.route();
        }

        @Bean
        IdempotentRoute both() {
            return AcmeKey.both();
        }

        @Bean
        IdempotentRoute billing() {
            return AcmeKey.billing();
        }

        @Bean
        IdempotentRoute functions() {
            return AcmeKey.functions();
        }

        @Bean
        IdempotentRoute tenantsInThePath() {
            return AcmeKey.tenants();
        }

        @Bean
        RouterFunction<ServerResponse> router() {
            return RouterFunctions.route()
                    .POST("/functions/stripe", request -> ServerResponse.ok().body("done"))
                    .build();
        }

        @Bean
        RouterFunction<ServerResponse> tenants() {
            return RouterFunctions.route()
                    .POST(
                            "/functions/{tenant}/events",
                            request -> ServerResponse.ok().body("done"))
                    .build();
        }

        @RestController
        static class Handlers {

            private final Deliveries deliveries;

            Handlers(Runs runs) {
                this.deliveries = new Deliveries(runs);
            }

            @PostMapping({"/webhooks/{sender}", "/webhooks/{sender}/", "/tenants/{sender}/events"})
            ResponseEntity<String> receive(IdempotencyContext context, @RequestBody byte[] body) {
                return deliveries.handle(context, body);
            }
        }
    }
}
