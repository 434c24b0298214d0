package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.IdempotentRoute;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
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
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** H-10: functional endpoints with an error handler, asynchronous and streamed answers; routes declared as beans. */
@AppTest(value = FunctionalRouteTest.Functions.class, settings = "idem.http.tenant=SINGLE")
class FunctionalRouteTest {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    FunctionalRouteTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "async", "handled"})
    void aFunctionalEndpointIsAnsweredOnceAndReplayed(String kind) {
        Answer first = client.post("/fn/" + kind, key);
        Answer second = client.post("/fn/" + kind, key);

        assertThat(first.body()).isEqualTo(kind + " 1");
        assertThat(second.status()).isEqualTo(first.status());
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(second.replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void serverSentEventsOfAFunctionAreNotHeldBack() throws Exception {
        runs.shut(key);
        CompletableFuture<String> beginning = client.firstBytes("/fn/sse", key, 5);
        assertThat(beginning.get()).isEqualTo("data:");
        runs.open(key);

        await().untilAsserted(
                        () -> assertThat(client.post("/fn/sse", key).replayed()).isTrue());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class})
    static class Functions {

        @Bean
        IdempotentRoute route() {
            return IdempotentRoute.post("/fn/**");
        }

        @Bean
        RouterFunction<ServerResponse> router(Runs runs) {
            return RouterFunctions.route()
                    .POST("/fn/plain", request -> ServerResponse.ok().body("plain " + run(runs, request)))
                    .POST(
                            "/fn/async",
                            request -> ServerResponse.async(CompletableFuture.supplyAsync(
                                    () -> ServerResponse.ok().body("async " + run(runs, request)))))
                    .POST("/fn/handled", request -> {
                        throw new IllegalStateException("handled " + run(runs, request));
                    })
                    .POST("/fn/sse", request -> ServerResponse.sse(events -> send(events, runs, request)))
                    .onError(
                            IllegalStateException.class,
                            (failure, request) ->
                                    ServerResponse.unprocessableContent().body(String.valueOf(failure.getMessage())))
                    .build();
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
