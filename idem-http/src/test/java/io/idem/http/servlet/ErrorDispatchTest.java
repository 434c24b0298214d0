package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import java.net.http.HttpRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are written after the filter chain has ended, by the container's error page. */
@AppTest(Shop.class)
class ErrorDispatchTest {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    ErrorDispatchTest(App shop) {
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "thrown", "thrown-later"})
    void theErrorPageOfADeterministicRefusalIsReplayedByteForByte(String kind) {
        Answer first = client.post("/orders/" + kind + "/404", key);
        Answer second = client.post("/orders/" + kind + "/404", key);

        assertThat(first.status()).isEqualTo(404);
        assertThat(first.body()).contains("timestamp", "Not Found");
        assertThat(second.status()).isEqualTo(404);
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(second.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(second.header("X-Run")).isEqualTo(first.header("X-Run"));
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "thrown", "thrown-later"})
    void theErrorPageOfAPassingFailureFreesTheKey(String kind) {
        Answer first = client.post("/orders/" + kind + "/503", key);
        Answer second = client.post("/orders/" + kind + "/503", key);

        assertThat(first.status()).isEqualTo(503);
        assertThat(second.replayed()).isFalse();
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @Test
    void anExceptionFreesTheKey() {
        Answer first = client.post("/orders/fails-once", key);
        Answer second = client.post("/orders/fails-once", key);
        Answer third = client.post("/orders/fails-once", key);

        assertThat(first.status()).isEqualTo(500);
        assertThat(second.status()).isEqualTo(200);
        assertThat(third.replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @Test
    void aMethodThatNoHandlerHasFreesItsKey() {
        Answer first = patch();
        Answer second = patch();

        assertThat(first.status()).isEqualTo(405);
        assertThat(second.status()).isEqualTo(405);
        assertThat(second.replayed()).isFalse();
    }

    private Answer patch() {
        return client.send(client.request("/orders/upload")
                .header(Client.KEY, key)
                .method("PATCH", HttpRequest.BodyPublishers.ofString("{}")));
    }

    /** The content type is no part of the fingerprint, so only the status can let the corrected request run. */
    @Test
    void aMediaTypeThatTheHandlerDoesNotTakeMayBeCorrectedUnderTheSameKey() {
        assertThat(client.post("/orders/form", key, "item=tea&note=green").status())
                .isEqualTo(415);

        Answer corrected = client.send(client.request("/orders/form")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .POST(HttpRequest.BodyPublishers.ofString("item=tea&note=green")));

        assertThat(corrected.body()).isEqualTo("tea/green/1");
    }
}
