package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Fingerprint;
import io.idem.IdempotencyContext;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.http.ErrorBody;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.CustomisationContract;
import io.idem.http.contract.FaultyStore;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@AppTest(
        value = CustomisationTest.Own.class,
        settings = {CustomisationContract.SETTINGS, "server.servlet.context-path=/shop", "idem.lease=3s"})
class CustomisationTest extends CustomisationContract {

    private final Client client;

    CustomisationTest(App app) {
        super(app);
        this.client = app.client();
    }

    @Test
    void aHandlerWhoseLeaseEndedIsDeferredRatherThanAnswered() {
        String key = Client.newKey();
        Answer answer =
                client.post("/shop/orders/outlives-its-lease", key, request -> request.header("X-Request-Key", key));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
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
            return ownEnvelope();
        }
    }
}
