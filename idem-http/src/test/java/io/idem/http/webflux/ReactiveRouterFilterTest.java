package io.idem.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Scope;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.KeyGate;
import io.idem.http.contract.Runs;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** H-10: reactive functional routes that are protected by a filter of their router, without any other setting for the route. */
@AppTest(
        value = ReactiveRouterFilterTest.Functions.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.max-request-body=2KB",
            "idem.http.routes[0].path=/routed/configured",
            "idem.http.routes[0].required=false"
        })
class ReactiveRouterFilterTest {

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final String key = Client.newKey();

    ReactiveRouterFilterTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.store = app.bean(FaultyStore.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "handled", "refused", "entity"})
    void aFilteredRouteIsAnsweredOnceAndReplayed(String kind) {
        Answer first = client.post("/routed/" + kind, key);
        Answer second = client.post("/routed/" + kind, key);

        assertThat(first.body()).contains("1");
        assertThat(first.replayed()).isFalse();
        assertThat(second.status()).isEqualTo(first.status());
        assertThat(second.header("Location")).isEqualTo(first.header("Location"));
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
    void aSilentStoreGets503AndNoFunctionRuns() {
        store.failNextAcquire(FaultyStore.silence());

        assertThat(client.post("/routed/plain", key).status()).isEqualTo(503);
        assertThat(runs.of(key)).isZero();
    }

    @Test
    void aResponseThatAnOuterFilterDropsTakesNoKey() {
        assertThat(client.post("/routed/dropped", key).body()).isEqualTo("instead");
        assertThat(client.post("/routed/dropped", key).replayed()).isFalse();
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
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class})
    static class Functions {

        @Bean
        RouterFunction<ServerResponse> router(Runs runs, IdempotencyHandlerFilter idempotent) {
            return RouterFunctions.route()
                    .POST("/routed/plain", request -> ok(runs, request, run -> "plain " + run))
                    .PUT("/routed/plain", request -> ok(runs, request, run -> "plain " + run))
                    .POST("/routed/configured", request -> ok(runs, request, run -> "configured " + run))
                    .POST("/routed/dropped", request -> ok(runs, request, run -> "dropped " + run))
                    .POST(
                            "/routed/entity",
                            request -> request.bodyToMono(String.class)
                                    .flatMap(body -> run(
                                                    runs,
                                                    request,
                                                    run -> ServerResponse.status(201)
                                                            .header("Location", "/" + run)
                                                            .bodyValue(body + run))
                                            .flatMap(Function.identity())))
                    .POST(
                            "/routed/form",
                            request -> request.formData()
                                    .flatMap(form -> ok(runs, request, run -> form.getFirst("item") + " " + run)))
                    .POST("/routed/fails-once", request -> ok(runs, request, Functions::failOnce))
                    .POST(
                            "/routed/refused",
                            request -> ok(runs, request, run -> {
                                throw new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT, "run " + run);
                            }))
                    .POST(
                            "/routed/handled",
                            request -> ok(runs, request, run -> {
                                throw new IllegalStateException("handled " + run);
                            }))
                    .POST(
                            "/routed/sse",
                            request -> ServerResponse.ok()
                                    .contentType(MediaType.TEXT_EVENT_STREAM)
                                    .body(
                                            Flux.concat(Mono.just("first"), run(runs, request, run -> "run " + run)),
                                            String.class))
                    .onError(
                            IllegalStateException.class,
                            (failure, request) -> ServerResponse.unprocessableContent()
                                    .bodyValue(String.valueOf(failure.getMessage())))
                    .filter(idempotent)
                    .build()
                    .filter((request, next) -> request.path().equals("/routed/dropped")
                            ? next.handle(request).then(ServerResponse.ok().bodyValue("instead"))
                            : next.handle(request));
        }

        @Bean
        RouterFunction<ServerResponse> refined(IdempotencyHandlerFilter idempotent, FaultyStore store) {
            return RouterFunctions.route()
                    .PUT(
                            "/refined",
                            request -> IdempotencyContexts.current()
                                    .map(context -> context.scope().name())
                                    .defaultIfEmpty("unprotected")
                                    .flatMap(scope -> ServerResponse.ok().bodyValue(scope)))
                    .filter(idempotent
                            .onMethods(HttpMethod.PUT)
                            .with(options -> options.withRequired(false)
                                    .withScope(new Scope("http.refined"))
                                    .withReplayGate(new KeyGate(store))))
                    .build();
        }

        private static Mono<ServerResponse> ok(Runs runs, ServerRequest request, Function<Integer, String> body) {
            return run(runs, request, body).flatMap(text -> ServerResponse.ok().bodyValue(text));
        }

        private static <T> Mono<T> run(Runs runs, ServerRequest request, Function<Integer, T> answer) {
            return ReactiveShop.run(runs, request.headers().firstHeader(Client.KEY), answer);
        }

        /** Not of the kind that the router answers. */
        private static String failOnce(int run) {
            if (run == 1) {
                throw new IllegalArgumentException("ordered by a test");
            }
            return "run " + run;
        }
    }
}
