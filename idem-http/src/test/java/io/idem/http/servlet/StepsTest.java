package io.idem.http.servlet;

import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.http.IdempotentRoute;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Carrier;
import io.idem.http.contract.Carrier.OutOfPaper;
import io.idem.http.contract.StepsContract;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

@AppTest(
        value = StepsTest.Shipping.class,
        settings = {"idem.http.tenant=SINGLE", "idem.http.routes[0].path=/configured/**"})
class StepsTest extends StepsContract {

    StepsTest(App app) {
        super(app);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/annotated/parameter",
                "/annotated/current",
                "/annotated/callable",
                "/annotated/later",
                "/configured/busy",
                "/functional/ship",
                "/functional/later"
            })
    void aRetryOfARequestThatFailedGoesOnBehindItsStep(String path) {
        assertThatARetryGoesOnBehindTheStep(path);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Carrier.class, Controller.class})
    static class Shipping {

        @Bean
        IdempotentRoute functionalRoute() {
            return IdempotentRoute.post("/functional/**");
        }

        @Bean
        RouterFunction<ServerResponse> functions(Carrier carrier) {
            return RouterFunctions.route()
                    .POST("/functional/ship", request -> ServerResponse.ok().body(carrier.ship(current())))
                    .POST(
                            "/functional/later",
                            request -> ServerResponse.async(carrier.shipLater(current())
                                    .thenApply(shipped -> ServerResponse.ok().body(shipped))
                                    .toCompletableFuture()))
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
        String parameter(IdempotencyContext attempt) {
            return carrier.ship(attempt);
        }

        @PostMapping("/annotated/current")
        @Idempotent
        String fromThread() {
            return carrier.ship(current());
        }

        @PostMapping("/annotated/callable")
        @Idempotent
        Callable<String> callable() {
            return () -> carrier.ship(current());
        }

        @PostMapping("/annotated/later")
        @Idempotent
        CompletableFuture<String> later(IdempotencyContext attempt) {
            return carrier.shipLater(attempt).toCompletableFuture();
        }

        /** Answers the failure of its step itself, with a status that is not stored. */
        @PostMapping("/configured/busy")
        ResponseEntity<String> busy(IdempotencyContext attempt) {
            try {
                return ResponseEntity.ok(carrier.ship(attempt));
            } catch (OutOfPaper failure) {
                return ResponseEntity.status(503).build();
            }
        }
    }

    private static IdempotencyContext current() {
        return IdempotencyContext.current().orElseThrow();
    }
}
