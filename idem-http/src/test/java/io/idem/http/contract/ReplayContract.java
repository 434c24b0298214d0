package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

public abstract class ReplayContract {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    protected ReplayContract(App shop) {
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
    }

    @Test
    void aDuplicateGetsTheFirstAnswerByteForByte() {
        Answer first = client.post("/orders", key);
        Answer second = client.post("/orders", key);

        assertThat(first.replayed()).isFalse();
        assertThat(second.replayed()).isTrue();
        assertThat(second.status()).isEqualTo(first.status()).isEqualTo(201);
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(second.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(second.header("Location")).isEqualTo("/orders/1");
        assertThat(second.response().headers().allValues("X-Flavour")).containsExactly("sweet", "sour");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void cookiesAndTraceHeadersAreNotReplayed() {
        Answer first = client.post("/orders", key);
        Answer second = client.post("/orders", key);

        assertThat(first.header("Set-Cookie")).isEqualTo("session=secret");
        assertThat(second.header("Set-Cookie")).isEmpty();
        assertThat(second.header("traceparent")).isEmpty();
    }

    @Test
    void headersOfTheFiltersAroundAreTheReplaysOwn() {
        client.post("/orders", key);
        Answer second = client.post("/orders", key);

        assertThat(second.response().headers().allValues("X-Content-Type-Options"))
                .containsExactly("nosniff");
        assertThat(second.response().headers().allValues("Cache-Control")).hasSize(1);
    }

    /** A handler that calls another service may copy all headers of its answer. */
    @ParameterizedTest
    @ValueSource(strings = {"own-marker", "own-marker/large"})
    void aHandlersOwnReplayMarkerNeverReachesItsClient(String path) {
        Answer first = client.post("/orders/" + path, key);
        Answer second = client.post("/orders/" + path, key);

        assertThat(first.header("X-Upstream")).isEqualTo("yes");
        assertThat(first.response().headers().allValues(Client.REPLAYED)).isEmpty();
        assertThat(first.response().headers().allValues("Idempotency-Body-Omitted"))
                .isEmpty();
        assertThat(second.header("X-Upstream")).isEqualTo("yes");
        assertThat(second.response().headers().allValues(Client.REPLAYED)).containsExactly("true");
        assertThat(second.response().headers().allValues("Idempotency-Body-Omitted"))
                .hasSize(path.endsWith("large") ? 1 : 0);
    }

    @Test
    void quotedAndBareSpellingAreAnsweredAlike() {
        Answer first = client.post("/orders", key);
        Answer second = client.post("/orders", '"' + key + '"');

        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
    }

    @Test
    void differentKeysAreDifferentOperations() {
        client.post("/orders", key);

        assertThat(client.post("/orders", Client.newKey()).replayed()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 302, 400, 404, 410, 422})
    void deterministicAnswersAreReplayed(int status) {
        Answer first = client.post("/orders/status/" + status, key);
        Answer second = client.post("/orders/status/" + status, key);

        assertThat(second.status()).isEqualTo(first.status()).isEqualTo(status);
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {401, 403, 406, 408, 409, 411, 412, 415, 417, 421, 423, 424, 425, 426, 428, 429, 431, 500, 502, 503})
    void passingAnswersFreeTheKey(int status) {
        client.post("/orders/status/" + status, key);
        Answer second = client.post("/orders/status/" + status, key);

        assertThat(second.status()).isEqualTo(status);
        assertThat(second.replayed()).isFalse();
        assertThat(second.body()).isEqualTo("run 2");
    }

    /** H-11: what belongs to the transfer is made anew, what belongs to the answer is kept. */
    @ParameterizedTest
    @CsvSource({"no-content, 204", "not-modified, 304", "writer, 200", "redirect, 302", "proxied, 200"})
    void everyKindOfAnswerIsReplayedAsItWas(String path, int status) {
        Answer first = client.post("/orders/" + path, key);
        Answer second = client.post("/orders/" + path, key);

        assertThat(first.status()).isEqualTo(second.status()).isEqualTo(status);
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(second.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(second.header("Content-Length")).isEqualTo(first.header("Content-Length"));
        assertThat(second.header("Location")).isEqualTo(first.header("Location"));
        assertThat(second.header("ETag")).isEqualTo(first.header("ETag"));
        assertThat(first.header("Transfer-Encoding")).isEmpty();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aRedirectKeepsItsTarget() {
        assertThat(client.post("/orders/redirect", key).header("Location")).endsWith("/orders/1");
        assertThat(client.post("/orders/redirect", key).header("Location")).endsWith("/orders/1");
    }

    @Test
    void textWrittenThroughTheWriterKeepsItsEncoding() {
        assertThat(client.post("/orders/writer", key).body()).isEqualTo("zwölf");
        assertThat(client.post("/orders/writer", key).body()).isEqualTo("zwölf");
    }

    /** H-04: the work is never run again for a body that was too large to be kept. */
    @Test
    void aBodyOverTheLimitReachesItsClientAndIsReplayedAsOmitted() {
        Answer first = client.post("/orders/large?size=100000", key);
        Answer second = client.post("/orders/large?size=100000", key);

        assertThat(first.bytes()).hasSize(100_000);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.replayed()).isTrue();
        assertThat(second.header("Idempotency-Body-Omitted")).isEqualTo("true");
        assertThat(second.bytes()).isEmpty();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aBodyOfExactlyTheLimitIsKept() {
        Answer first = client.post("/orders/large?size=65536", key);
        Answer second = client.post("/orders/large?size=65536", key);

        assertThat(second.bytes()).isEqualTo(first.bytes()).hasSize(65536);
        assertThat(second.header("Content-Length")).isEqualTo("65536");
        assertThat(second.header("Idempotency-Body-Omitted")).isEmpty();
    }
}
