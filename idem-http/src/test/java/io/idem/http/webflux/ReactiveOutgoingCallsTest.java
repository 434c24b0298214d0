package io.idem.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Runs;
import io.idem.http.outgoing.OutgoingKeyExchangeFilter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Calls that reactive handlers return, without any code of idem's around them. */
@AppTest(
        value = ReactiveOutgoingCallsTest.Calling.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/calling/**",
            "idem.http.outgoing.hosts=127.0.0.1"
        })
class ReactiveOutgoingCallsTest {

    private final Client client;
    private final List<String> received;

    ReactiveOutgoingCallsTest(App app) {
        this.client = app.client();
        this.received = app.bean(Service.class).received;
    }

    @BeforeEach
    void forget() {
        received.clear();
    }

    @ParameterizedTest
    @ValueSource(strings = {"returned", "deferred", "delayed", "routed"})
    void aCallOfAReactiveHandlerHasAKeyThatARunAgainSendsAgain(String way) {
        String key = Client.newKey();
        for (String one : List.of(key, key, Client.newKey())) {
            client.post("/calling/" + way, one);
        }
        assertThat(received).hasSize(3).doesNotContain("none", key);
        assertThat(received.get(1)).isEqualTo(received.get(0)).isNotEqualTo(received.get(2));
    }

    @Test
    void callsOfOneHandlerHaveKeysOfTheirOwn() {
        client.post("/calling/twice", Client.newKey());
        assertThat(received).hasSize(2).doesNotHaveDuplicates().doesNotContain("none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"repeated", "begun-anew"})
    void aRetryInAReactiveHandlerKeepsTheKey(String way) {
        assertThat(client.post("/calling/" + way, Client.newKey()).status()).isEqualTo(200);
        assertThat(received).hasSize(2).doesNotContain("none");
        assertThat(received.get(1)).isEqualTo(received.get(0));
    }

    @Test
    void aHandlerThatIsNotProtectedSendsNoKey() {
        client.post("/open/returned", Client.newKey());
        assertThat(received).containsExactly("none");
    }

    @RestController
    static class Service {

        private final List<String> received = new CopyOnWriteArrayList<>();

        @PostMapping("/service/{kind}")
        String receive(@PathVariable String kind, @RequestHeader(name = Client.KEY, defaultValue = "none") String key) {
            received.add(key);
            if (kind.equals("fails-once") && received.size() == 1) {
                throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE);
            }
            return "done";
        }
    }

    @RestController
    static class Handlers {

        private final WebClient calls;
        private final Runs runs;

        Handlers(OutgoingKeyExchangeFilter keys, Runs runs) {
            this.calls = WebClient.builder().apply(keys).build();
            this.runs = runs;
        }

        @PostMapping("/{kind}/{way}")
        Mono<String> handle(
                @PathVariable String way, @RequestHeader(Client.KEY) String key, ServerHttpRequest request) {
            return switch (way) {
                case "returned" -> endingBadlyOnce(key, call(request.getURI().getPort(), "ok"));
                case "deferred" ->
                    endingBadlyOnce(key, Mono.defer(() -> call(request.getURI().getPort(), "ok")));
                case "delayed" ->
                    endingBadlyOnce(
                            key,
                            Mono.delay(Duration.ofMillis(1))
                                    .flatMap(late -> call(request.getURI().getPort(), "ok")));
                case "twice" ->
                    call(request.getURI().getPort(), "ok")
                            .then(call(request.getURI().getPort(), "ok"));
                case "repeated" ->
                    call(request.getURI().getPort(), "fails-once").retryWhen(Retry.backoff(1, Duration.ofMillis(1)));
                case "begun-anew" ->
                    Mono.defer(() -> call(request.getURI().getPort(), "fails-once"))
                            .retryWhen(Retry.backoff(1, Duration.ofMillis(1)));
                default -> throw new IllegalArgumentException(way);
            };
        }

        Mono<ServerResponse> route(ServerRequest request) {
            return endingBadlyOnce(
                            request.headers().firstHeader(Client.KEY),
                            call(request.uri().getPort(), "ok"))
                    .flatMap(text -> ServerResponse.ok().bodyValue(text));
        }

        /** The first run of a key fails after its call. */
        private Mono<String> endingBadlyOnce(@Nullable String key, Mono<String> call) {
            return call.flatMap(answer -> ReactiveShop.run(runs, key, ReactiveShop::failOnce));
        }

        private Mono<String> call(int port, String kind) {
            return calls.post()
                    .uri("http://127.0.0.1:" + port + "/service/" + kind)
                    .bodyValue("{}")
                    .retrieve()
                    .bodyToMono(String.class);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class, Handlers.class, Service.class})
    static class Calling {

        @Bean
        RouterFunction<ServerResponse> router(Handlers handlers) {
            return RouterFunctions.route()
                    .POST("/calling/routed", handlers::route)
                    .build();
        }
    }
}
