package io.idem.http.webflux;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Handlers that ask for the context can be called where a test starts WebFlux only. */
@WebFluxTest(WebFluxSliceTest.Payments.class)
class WebFluxSliceTest {

    private final WebTestClient client;

    @Autowired
    WebFluxSliceTest(WebTestClient client) {
        this.client = client;
    }

    @Test
    void parametersAreNullInASliceOfWebFlux() {
        client.post().uri("/payments").exchange().expectBody(String.class).isEqualTo("null null");
    }

    @RestController
    static class Payments {

        @PostMapping("/payments")
        String pay(@Nullable IdempotencyKey key, @Nullable IdempotencyContext context) {
            return key + " " + context;
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Payments.class)
    static class Application {}
}
