package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.IdempotentRoute;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.Runs;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** What routes tell of themselves, and what they compare: metrics, published retention, chosen fingerprints. */
@AppTest(
        value = RouteReportsTest.Metered.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.max-request-body=2KB",
            "idem.http.headers.retention=Idempotency-Retention",
            "idem.http.routes[0].path=/orders/**",
            "idem.http.routes[0].retention=90m",
            "idem.http.routes[0].fingerprint.canonical-json=true",
            "idem.http.routes[0].fingerprint.leave-out=/sentAt",
            "idem.http.routes[0].fingerprint.headers=X-Version",
            "idem.http.routes[0].fingerprint.query=false",
            "idem.http.routes[1].path=/orders/optional",
            "idem.http.routes[1].required=false"
        })
class RouteReportsTest {

    private static final String RETENTION = "Idempotency-Retention";

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final MeterRegistry registry;
    private final String key = Client.newKey();

    RouteReportsTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.store = app.bean(FaultyStore.class);
        this.registry = app.bean(MeterRegistry.class);
    }

    @Test
    void everyAnswerTellsForHowLongItIsKept() {
        Answer first = client.post("/orders", key);
        Answer replay = client.post("/orders", key);
        Answer refusal = client.post("/orders", key, "{\"other\":1}");
        Answer error = client.post("/orders/error/422", Client.newKey());
        Answer function = client.post("/function", Client.newKey());

        assertThat(replay.replayed()).isTrue();
        assertThat(first.header(RETENTION))
                .isEqualTo(replay.header(RETENTION))
                .isEqualTo(refusal.header(RETENTION))
                .isEqualTo(error.header(RETENTION))
                .isEqualTo("5400");
        assertThat(function.header(RETENTION)).isNotEmpty().isNotEqualTo("5400");
        assertThat(client.post("/annotated/not", key).header(RETENTION)).isEmpty();
    }

    @Test
    void everyOutcomeIsCountedByItsRoute() {
        assertCounted("/orders/**", "executed", () -> client.post("/orders", key));
        assertCounted("/orders/**", "replayed", () -> client.post("/orders", key));
        assertCounted("/orders/**", "key-reused", () -> client.post("/orders", key, "{\"other\":1}"));
        assertCounted("/orders/**", "released", () -> client.post("/orders/status/500", Client.newKey()));
        assertCounted("/orders/**", "released", () -> client.post("/orders/fails-once", Client.newKey()));
        assertCounted("/orders/**", "executed", () -> client.post("/orders/error/422", Client.newKey()));
        assertCounted("/orders/**", "executed", () -> client.post("/orders/future", Client.newKey()));
        assertCounted("/orders/**", "executed", () -> client.post("/orders/streaming", Client.newKey()));
        assertCounted("/orders/**", "key-malformed", () -> client.post("/orders", "\""));
        assertCounted("/orders/**", "body-too-large", () -> client.post("/orders", key, "x".repeat(3000)));
        assertCounted(
                "/orders/optional",
                "unprotected",
                () -> client.send(client.request("/orders/optional").POST(BodyPublishers.noBody())));
        assertCounted("/orders/**", "store-unavailable", () -> {
            store.failNextAcquire(FaultyStore.silence());
            client.post("/orders", Client.newKey());
        });
        String other = Client.newKey();
        assertCounted("/function", "executed", () -> client.post("/function", other));
        assertCounted("/function", "replayed", () -> client.post("/function", other));
    }

    @Test
    void aRunningRequestIsCountedWhenItEnds() {
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/orders/future", key);
        await().until(() -> runs.of(key) == 1);
        assertCounted("/orders/**", "in-progress", () -> client.post("/orders/future", key));
        assertCounted("/orders/**", "executed", () -> {
            runs.open(key);
            first.join();
        });
    }

    @Test
    void aRetryThatSpellsItsJsonOtherwiseIsAReplay() {
        client.post("/orders", key, "{\"amount\":1.50,\"to\":\"é\",\"sentAt\":1}");

        assertThat(client.post("/orders?at=2", key, "{ \"sentAt\":2, \"to\":\"\\u00e9\", \"amount\":15e-1 }")
                        .replayed())
                .isTrue();
    }

    @Test
    void whatIsChosenToCountMakesAnotherRequest() {
        client.post("/orders", key, "{\"amount\":1}");

        assertThat(client.post("/orders", key, "{\"amount\":\"1\"}").status()).isEqualTo(422);
        assertThat(client.send(client.request("/orders")
                                .header(Client.KEY, key)
                                .header("X-Version", "2")
                                .POST(BodyPublishers.ofString("{\"amount\":1}")))
                        .status())
                .isEqualTo(422);
    }

    private void assertCounted(String route, String outcome, Runnable request) {
        long before = count(route, outcome);
        request.run();
        await().untilAsserted(() -> assertThat(count(route, outcome)).isEqualTo(before + 1));
    }

    private long count(String route, String outcome) {
        return registry.timer("idem.http.requests", Tags.of("method", "POST", "route", route, "outcome", outcome))
                .count();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Shop.Orders.class, Shop.Annotated.class})
    static class Metered {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        IdempotentRoute functionalRoute() {
            return IdempotentRoute.post("/function");
        }

        @Bean
        RouterFunction<ServerResponse> router() {
            return RouterFunctions.route()
                    .POST("/function", request -> ServerResponse.ok().body("done"))
                    .build();
        }
    }
}
