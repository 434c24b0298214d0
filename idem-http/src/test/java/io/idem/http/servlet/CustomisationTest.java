package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Fingerprint;
import io.idem.IdempotencyContext;
import io.idem.http.ErrorBody;
import io.idem.http.IncomingRequest;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.FaultyStore;
import io.idem.spi.AcquireRequest;
import io.idem.spi.OwnerToken;
import io.idem.spi.RecordId;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What an application may choose otherwise: names of headers, error envelope, which answers are stored, key rules. */
@AppTest(
        value = CustomisationTest.Own.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.key-header=X-Request-Key",
            "idem.http.replay-header=X-Idempotency-Status",
            "idem.http.replay-header-value=REPLAY",
            "idem.http.problem-docs=https://docs.example.com/problems",
            "idem.http.stored-headers.deny=X-Flavour",
            "idem.http.routes[0].path=/orders/**",
            "idem.http.routes[0].store=EVERYTHING",
            "idem.http.routes[0].key-format=UUID",
            "server.servlet.context-path=/shop",
            "idem.lease=3s"
        })
class CustomisationTest {

    private final Client client;
    private final String key = Client.newKey();

    CustomisationTest(App app) {
        this.client = app.client();
    }

    @Test
    void theNamesOfTheHeadersAreSettings() {
        post("/shop/orders", key);
        Answer second = post("/shop/orders", key);

        assertThat(second.header("X-Idempotency-Status")).isEqualTo("REPLAY");
        assertThat(second.header("Idempotency-Replayed")).isEmpty();
        assertThat(second.header("X-Flavour")).isEmpty();
    }

    @Test
    void theErrorEnvelopeIsABeanAndTheRestOfARefusalStays() {
        Answer answer = post("/shop/orders", "not-a-uuid");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.body()).startsWith("{\"error\":{\"code\":\"urn:idem:problem:key-malformed\"");
        assertThat(answer.header("Link"))
                .isEqualTo("<https://docs.example.com/problems#key-malformed>; rel=\"describedby\"");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void aRouteMayStoreEveryAnswer() {
        post("/shop/orders/status/500", key);

        assertThat(post("/shop/orders/status/500", key).header("X-Idempotency-Status"))
                .isEqualTo("REPLAY");
    }

    @Test
    void aHandlerWhoseLeaseEndedIsDeferredRatherThanAnswered() {
        Answer answer = post("/shop/orders/outlives-its-lease", key);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
    }

    private Answer post(String path, String withKey) {
        return client.send(client.request(path)
                .header("X-Request-Key", withKey)
                .header(Client.KEY, withKey)
                .POST(BodyPublishers.ofString("{}")));
    }

    @RestController
    static class Slow {

        private final FaultyStore store;

        Slow(FaultyStore store) {
            this.store = store;
        }

        @PostMapping("/orders/outlives-its-lease")
        String outlive(IdempotencyContext context) {
            store.advance(Duration.ofMinutes(1));
            store.healthy()
                    .acquire(new AcquireRequest(
                            new RecordId(context.key(), context.scope()),
                            OwnerToken.random(new SecureRandom()),
                            Duration.ofMinutes(1),
                            Duration.ofMinutes(1),
                            Fingerprint.NONE,
                            0,
                            0));
            await().until(() -> !context.stillOwner());
            context.requireOwner();
            return "never";
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Shop.Orders.class, Slow.class})
    static class Own {

        @Bean
        ErrorBody envelope() {
            return new ErrorBody() {
                @Override
                public MediaType mediaType() {
                    return MediaType.APPLICATION_JSON;
                }

                @Override
                public byte[] render(ProblemDetail problem, IncomingRequest request) {
                    return ("{\"error\":{\"code\":\"" + problem.getType() + "\"}}").getBytes(StandardCharsets.UTF_8);
                }
            };
        }
    }
}
