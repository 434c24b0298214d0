package io.idem.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.IdempotentRoute;
import io.idem.http.contract.ApiKeys;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** What reactive routes tell of themselves and compare; tenants by API key. */
@AppTest(
        value = ReactiveRouteReportsTest.Metered.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=API_KEY",
            "idem.http.tenant-from.header=X-API-Key",
            "idem.http.tenant-from.api-keys[0].tenant=acme",
            "idem.http.tenant-from.api-keys[0].sha256=" + ApiKeys.ACME,
            "idem.http.tenant-from.api-keys[1].tenant=umbrella",
            "idem.http.tenant-from.api-keys[1].sha256=" + ApiKeys.UMBRELLA,
            "idem.http.headers.retention=Idempotency-Retention",
            "idem.http.routes[0].path=/orders/**",
            "idem.http.routes[0].retention=90m",
            "idem.http.routes[0].fingerprint.canonical-json=true",
            "idem.http.routes[1].path=/orders/optional",
            "idem.http.routes[1].required=false"
        })
class ReactiveRouteReportsTest {

    private final Client client;
    private final MeterRegistry registry;
    private final String key = Client.newKey();

    ReactiveRouteReportsTest(App app) {
        this.client = app.client();
        this.registry = app.bean(MeterRegistry.class);
    }

    @Test
    void everyAnswerTellsForHowLongItIsKept() {
        Answer first = post("/orders", "{\"a\":1}");
        Answer replay = post("/orders", "{ \"a\" : 1.0 }");
        Answer refusal = post("/orders", "{\"a\":2}");

        assertThat(replay.replayed()).isTrue();
        assertThat(refusal.status()).isEqualTo(422);
        assertThat(first.header("Idempotency-Retention"))
                .isEqualTo(replay.header("Idempotency-Retention"))
                .isEqualTo(refusal.header("Idempotency-Retention"))
                .isEqualTo("5400");
    }

    @Test
    void everyOutcomeIsCountedByItsRoute() {
        assertCounted("/orders/**", "executed", () -> post("/orders", "{}"));
        assertCounted("/orders/**", "replayed", () -> post("/orders", "{}"));
        assertCounted("/orders/**", "key-reused", () -> post("/orders", "[]"));
        assertCounted("/orders/**", "released", () -> send("/orders/status/500", Client.newKey(), "{}"));
        assertCounted("/orders/**", "key-malformed", () -> send("/orders", "\"", "{}"));
        assertCounted("/orders/**", "tenant-unknown", () -> client.post("/orders", key));
        assertCounted(
                "/orders/optional",
                "unprotected",
                () -> client.send(client.request("/orders/optional").POST(BodyPublishers.noBody())));
        String other = Client.newKey();
        assertCounted("/function", "executed", () -> send("/function", other, "{}"));
        assertCounted("/function", "replayed", () -> send("/function", other, "{}"));
    }

    @Test
    void oneTenantIsNeverAnsweredWithTheAnswerOfAnother() {
        Answer acmes = post("/orders", "{}");
        Answer umbrellas = client.post("/orders", key, request -> request.header("X-API-Key", "key-of-umbrella"));

        assertThat(umbrellas.status()).isEqualTo(acmes.status());
        assertThat(umbrellas.replayed()).isFalse();
    }

    private Answer post(String path, String body) {
        return send(path, key, body);
    }

    private Answer send(String path, String withKey, String body) {
        return client.send(client.request(path)
                .header(Client.KEY, withKey)
                .header("X-API-Key", "key-of-acme")
                .POST(BodyPublishers.ofString(body)));
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
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class, ReactiveShop.Orders.class})
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
                    .POST("/function", request -> ServerResponse.ok().bodyValue("done"))
                    .build();
        }
    }
}
