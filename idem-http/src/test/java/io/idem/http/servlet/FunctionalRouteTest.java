package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.http.IdempotentRoute;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.FunctionalRouteContract;
import io.idem.http.contract.Runs;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

@AppTest(
        value = FunctionalRouteTest.Functions.class,
        settings = {"idem.http.tenant=SINGLE", "idem.http.max-request-body=2KB"})
class FunctionalRouteTest extends FunctionalRouteContract {

    private final Client client;
    private final String key = Client.newKey();

    FunctionalRouteTest(App app) {
        super(app);
        this.client = app.client();
    }

    @ParameterizedTest
    @ValueSource(strings = {"async", "outside"})
    void whatEndsLaterOrOutsideIsAnsweredOnceAndReplayed(String kind) {
        assertAnsweredOnceAndReplayed(kind);
    }

    @Test
    void aFailureOfAsynchronousWorkFreesTheKey() {
        assertThat(client.post("/routed/async-fails-once", key).status()).isEqualTo(500);
        assertThat(client.post("/routed/async-fails-once", key).body()).isEqualTo("run 2");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class})
    static class Functions {

        @Bean
        IdempotentRoute routed() {
            return FunctionalRouteContract.routed();
        }

        @Bean
        IdempotentRoute refinedByOptions(FaultyStore store) {
            return FunctionalRouteContract.refinedBy(store);
        }

        @Bean
        RouterFunction<ServerResponse> router(Runs runs) {
            return RouterFunctions.route()
                    .POST("/routed/plain", request -> ServerResponse.ok().body("plain " + run(runs, request)))
                    .PUT("/routed/plain", request -> ServerResponse.ok().body("plain " + run(runs, request)))
                    .POST(
                            "/routed/entity",
                            request -> ServerResponse.status(201)
                                    .header("Location", "/" + run(runs, request))
                                    .body(request.body(String.class) + 1))
                    .POST(
                            "/routed/form",
                            request -> ServerResponse.ok()
                                    .body(request.param("item").orElseThrow() + " " + run(runs, request)))
                    .POST(
                            "/routed/async",
                            request -> ServerResponse.async(CompletableFuture.supplyAsync(
                                    () -> ServerResponse.ok().body("async " + run(runs, request)))))
                    .POST(
                            "/routed/async-fails-once",
                            request -> ServerResponse.async(
                                    CompletableFuture.supplyAsync(() -> failOnce(run(runs, request)))))
                    .POST("/routed/fails-once", request -> failOnce(run(runs, request)))
                    .POST("/routed/refused", request -> {
                        throw new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT, "1" + run(runs, request));
                    })
                    .POST("/routed/handled", request -> {
                        throw new IllegalStateException("handled " + run(runs, request));
                    })
                    .POST("/routed/outside", request -> {
                        throw new UnsupportedOperationException("outside " + run(runs, request));
                    })
                    .POST("/routed/sse", request -> ServerResponse.sse(events -> send(events, runs, request)))
                    .onError(IllegalStateException.class, Functions::refused)
                    .build()
                    .filter((request, next) -> {
                        try {
                            return next.handle(request);
                        } catch (UnsupportedOperationException failure) {
                            return refused(failure, request);
                        }
                    });
        }

        @Bean
        RouterFunction<ServerResponse> refined() {
            return RouterFunctions.route()
                    .PUT(
                            "/refined",
                            request -> ServerResponse.ok()
                                    .body(IdempotencyContext.current()
                                            .map(context -> context.scope().name())
                                            .orElse("unprotected")))
                    .build();
        }

        private static ServerResponse refused(Throwable failure, ServerRequest request) {
            return ServerResponse.unprocessableContent().body(String.valueOf(failure.getMessage()));
        }

        private static ServerResponse failOnce(int run) {
            if (run == 1) {
                throw new IllegalArgumentException("ordered by a test");
            }
            return ServerResponse.ok().body("run " + run);
        }

        private static void send(ServerResponse.SseBuilder events, Runs runs, ServerRequest request) {
            Thread worker = new Thread(
                    () -> {
                        try {
                            events.send("first");
                            events.send("run " + run(runs, request));
                            events.complete();
                        } catch (IOException clientGone) {
                            events.error(clientGone);
                        }
                    },
                    "emitter");
            worker.start();
        }

        private static int run(Runs runs, ServerRequest request) {
            return runs.enter(request.headers().firstHeader(Client.KEY));
        }
    }
}
