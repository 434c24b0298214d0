package io.idem.http.webflux;

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
import org.junit.jupiter.api.Tag;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@Tag("extended")
@AppTest(
        value = ReactiveWebhookTest.Receiver.class,
        type = WebApplicationType.REACTIVE,
        settings = WebhookContract.SETTINGS)
class ReactiveWebhookTest extends WebhookContract {

    ReactiveWebhookTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class, Receiver.Handlers.class})
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
                    .POST("/functions/stripe", request -> ServerResponse.ok().bodyValue("done"))
                    .build();
        }

        @Bean
        RouterFunction<ServerResponse> tenants() {
            return RouterFunctions.route()
                    .POST(
                            "/functions/{tenant}/events",
                            request -> ServerResponse.ok().bodyValue("done"))
                    .build();
        }

        @RestController
        static class Handlers {

            private final Deliveries deliveries;

            Handlers(Runs runs) {
                this.deliveries = new Deliveries(runs);
            }

            /** A run may wait, so it is on a thread that may. */
            @PostMapping({"/webhooks/{sender}", "/webhooks/{sender}/", "/tenants/{sender}/events"})
            Mono<ResponseEntity<String>> receive(IdempotencyContext context, @RequestBody Mono<byte[]> body) {
                return body.publishOn(Schedulers.boundedElastic()).map(bytes -> deliveries.handle(context, bytes));
            }
        }
    }
}
