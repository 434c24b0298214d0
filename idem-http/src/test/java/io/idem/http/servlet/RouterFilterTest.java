package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.Scope;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.KeyGate;
import io.idem.http.contract.Runs;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** H-10: functional routes that are protected by a filter of their router, without any other setting for the route. */
@AppTest(
        value = RouterFilterTest.Functions.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.max-request-body=2KB",
            "idem.http.routes[0].path=/routed/configured",
            "idem.http.routes[0].required=false"
        })
class RouterFilterTest {

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final String key = Client.newKey();

    RouterFilterTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.store = app.bean(FaultyStore.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "async", "handled", "outside", "refused", "entity"})
    void aFilteredRouteIsAnsweredOnceAndReplayed(String kind) {
        Answer first = client.post("/routed/" + kind, key);
        Answer second = client.post("/routed/" + kind, key);

        assertThat(first.body()).contains("1");
        assertThat(first.replayed()).isFalse();
        assertThat(second.status()).isEqualTo(first.status());
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(second.replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aFormReachesItsFunction() {
        Answer answer = client.send(client.request("/routed/form")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString("item=tea")));

        assertThat(answer.body()).isEqualTo("tea 1");
    }

    @Test
    void serverSentEventsOfAFilteredRouteAreNotHeldBack() throws Exception {
        runs.shut(key);
        CompletableFuture<String> beginning = client.firstBytes("/routed/sse", key, 5);
        assertThat(beginning.get()).isEqualTo("data:");
        runs.open(key);

        await().untilAsserted(() ->
                assertThat(client.post("/routed/sse", key).replayed()).isTrue());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aFailureOfTheFunctionFreesTheKey() {
        assertThat(client.post("/routed/fails-once", key).status()).isEqualTo(500);
        assertThat(client.post("/routed/fails-once", key).body()).isEqualTo("run 2");
    }

    @Test
    void aFailureOfAsynchronousWorkFreesTheKey() {
        assertThat(client.post("/routed/async-fails-once", key).status()).isEqualTo(500);
        assertThat(client.post("/routed/async-fails-once", key).body()).isEqualTo("run 2");
    }

    @Test
    void aFilteredRouteRefusesAsEveryOther() {
        client.post("/routed/plain", key);

        assertThat(client.post("/routed/plain", key, "{\"other\":1}").status()).isEqualTo(422);
        assertThat(client.post("/routed/plain", "\"").body()).contains("urn:idem:problem:key-malformed");
        assertThat(client.post("/routed/plain", Client.newKey(), "x".repeat(3000))
                        .status())
                .isEqualTo(413);
        assertThat(client.send(client.request("/routed/plain").POST(BodyPublishers.noBody()))
                        .body())
                .contains("urn:idem:problem:key-missing");
    }

    @Test
    void aDuplicateOfARunningFunctionGets409() {
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/routed/plain", key);
        await().until(() -> runs.of(key) == 1);

        Answer duplicate = client.post("/routed/plain", key);
        runs.open(key);

        assertThat(duplicate.status()).isEqualTo(409);
        assertThat(duplicate.header("Retry-After")).isNotEmpty();
        assertThat(first.join().body()).isEqualTo("plain 1");
    }

    @Test
    void aSilentStoreGets503AndNoFunctionRuns() {
        store.failNextAcquire(FaultyStore.silence());

        Answer answer = client.post("/routed/plain", key);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(runs.of(key)).isZero();
    }

    @Test
    void methodsThatTheFilterDoesNotNameAreLeftAlone() {
        client.send(client.request("/routed/plain").header(Client.KEY, key).PUT(BodyPublishers.noBody()));
        client.send(client.request("/routed/plain").header(Client.KEY, key).PUT(BodyPublishers.noBody()));

        assertThat(runs.of(key)).isEqualTo(2);
    }

    @Test
    void aGateMayOpenTheRecordInsteadOfItsReplay() {
        assertThat(refined("again-" + key).replayed()).isFalse();
        assertThat(refined("again-" + key).replayed()).isFalse();

        assertThat(refined("plain-" + key).replayed()).isFalse();
        assertThat(refined("plain-" + key).replayed()).isTrue();
    }

    @Test
    void aGateThatCannotAskTheStoreGets503() {
        refined("silent-" + key);

        Answer answer = refined("silent-" + key);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("urn:idem:problem:store-unavailable");
    }

    private Answer refined(String keyOfOnesOwn) {
        return client.send(
                client.request("/refined").header(Client.KEY, keyOfOnesOwn).PUT(BodyPublishers.noBody()));
    }

    @Test
    void aFilterMayNameItsMethodsAndRefineItsOptions() {
        Answer first =
                client.send(client.request("/refined").header(Client.KEY, key).PUT(BodyPublishers.noBody()));
        Answer second =
                client.send(client.request("/refined").header(Client.KEY, key).PUT(BodyPublishers.noBody()));
        Answer withoutKey = client.send(client.request("/refined").PUT(BodyPublishers.noBody()));

        assertThat(first.body()).isEqualTo("http.refined");
        assertThat(second.replayed()).isTrue();
        assertThat(withoutKey.body()).isEqualTo("unprotected");
    }

    @Test
    void aConfiguredRouteWinsOverTheFilter() {
        Answer answer = client.send(client.request("/routed/configured").POST(BodyPublishers.noBody()));

        assertThat(answer.body()).isEqualTo("configured 1");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class})
    static class Functions {

        @Bean
        RouterFunction<ServerResponse> router(Runs runs, IdempotencyHandlerFilter idempotent) {
            return RouterFunctions.route()
                    .POST("/routed/plain", request -> ServerResponse.ok().body("plain " + run(runs, request)))
                    .PUT("/routed/plain", request -> ServerResponse.ok().body("plain " + run(runs, request)))
                    .POST("/routed/configured", request -> ServerResponse.ok().body("configured " + run(runs, request)))
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
                    .filter(idempotent)
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
        RouterFunction<ServerResponse> refined(IdempotencyHandlerFilter idempotent, FaultyStore store) {
            return RouterFunctions.route()
                    .PUT(
                            "/refined",
                            request -> ServerResponse.ok()
                                    .body(IdempotencyContext.current()
                                            .map(context -> context.scope().name())
                                            .orElse("unprotected")))
                    .filter(idempotent
                            .onMethods(HttpMethod.PUT)
                            .with(options -> options.withRequired(false)
                                    .withScope(new Scope("http.refined"))
                                    .withReplayGate(new KeyGate(store))))
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
