package io.idem.http.webflux;

import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.http.IdempotentRoute;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Carrier;
import io.idem.http.contract.Carrier.OutOfPaper;
import io.idem.http.contract.StepsContract;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@AppTest(
        value = ReactiveStepsTest.Shipping.class,
        type = WebApplicationType.REACTIVE,
        settings = {"idem.http.tenant=SINGLE", "idem.http.routes[0].path=/configured/**"})
class ReactiveStepsTest extends StepsContract {

    ReactiveStepsTest(App app) {
        super(app);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/annotated/parameter",
                "/annotated/current",
                "/annotated/blocking",
                "/annotated/at-once",
                "/configured/busy",
                "/functional/ship"
            })
    void aRetryOfARequestThatFailedGoesOnBehindItsStep(String path) {
        assertThatARetryGoesOnBehindTheStep(path);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class, Carrier.class, Controller.class})
    static class Shipping {

        @Bean
        IdempotentRoute functionalRoute() {
            return IdempotentRoute.post("/functional/**");
        }

        @Bean
        RouterFunction<ServerResponse> functions(Carrier carrier) {
            return RouterFunctions.route()
                    .POST(
                            "/functional/ship",
                            request -> IdempotencyContexts.current()
                                    .flatMap(attempt -> ship(carrier, attempt))
                                    .flatMap(shipped -> ServerResponse.ok().bodyValue(shipped)))
                    .build();
        }
    }

    @RestController
    static class Controller {

        private final Carrier carrier;

        Controller(Carrier carrier) {
            this.carrier = carrier;
        }

        @PostMapping("/annotated/parameter")
        @Idempotent
        Mono<String> parameter(IdempotencyContext attempt) {
            return ship(carrier, attempt);
        }

        @PostMapping("/annotated/current")
        @Idempotent
        Mono<String> fromReactor() {
            return IdempotencyContexts.current()
                    .publishOn(Schedulers.parallel())
                    .flatMap(attempt -> ship(carrier, attempt));
        }

        @PostMapping("/annotated/blocking")
        @Idempotent
        Mono<String> blocking(IdempotencyContext attempt) {
            return Mono.fromCallable(() -> carrier.ship(attempt)).subscribeOn(Schedulers.boundedElastic());
        }

        /** Begins its steps before anything has subscribed to it. */
        @PostMapping("/annotated/at-once")
        @Idempotent
        Mono<String> atOnce(IdempotencyContext attempt) {
            return Mono.fromCompletionStage(carrier.shipLater(attempt));
        }

        /** Answers the failure of its step itself, with a status that is not stored. */
        @PostMapping("/configured/busy")
        Mono<ResponseEntity<String>> busy(IdempotencyContext attempt) {
            return ship(carrier, attempt)
                    .map(ResponseEntity::ok)
                    .onErrorReturn(OutOfPaper.class, ResponseEntity.status(503).build());
        }
    }

    private static Mono<String> ship(Carrier carrier, IdempotencyContext attempt) {
        return Mono.fromCompletionStage(() -> carrier.shipLater(attempt));
    }
}
