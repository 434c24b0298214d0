package io.idem.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.IdempotentRoute;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** H-10: functional endpoints that are protected by a bean which names their path. */
@AppTest(
        value = ReactiveFunctionalRouteTest.Functions.class,
        type = WebApplicationType.REACTIVE,
        settings = "idem.http.tenant=SINGLE")
class ReactiveFunctionalRouteTest {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    ReactiveFunctionalRouteTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "handled"})
    void aFunctionalEndpointIsAnsweredOnceAndReplayed(String kind) {
        Answer first = client.post("/fn/" + kind, key);
        Answer second = client.post("/fn/" + kind, key);

        assertThat(first.body()).isEqualTo(kind + " 1");
        assertThat(second.status()).isEqualTo(first.status());
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(second.replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class})
    static class Functions {

        @Bean
        IdempotentRoute route() {
            return IdempotentRoute.post("/fn/**");
        }

        @Bean
        RouterFunction<ServerResponse> router(Runs runs) {
            return RouterFunctions.route()
                    .POST(
                            "/fn/plain",
                            request -> run(runs, request)
                                    .flatMap(run -> ServerResponse.ok().bodyValue("plain " + run)))
                    .POST(
                            "/fn/handled",
                            request -> run(runs, request)
                                    .flatMap(run -> Mono.error(new IllegalStateException("handled " + run))))
                    .onError(
                            IllegalStateException.class,
                            (failure, request) -> ServerResponse.unprocessableContent()
                                    .bodyValue(String.valueOf(failure.getMessage())))
                    .build();
        }

        private static Mono<Integer> run(Runs runs, ServerRequest request) {
            return ReactiveShop.run(runs, request.headers().firstHeader(Client.KEY), run -> run);
        }
    }
}
