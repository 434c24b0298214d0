package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.Runs;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** H-01, H-02: asynchronous work is complete when its response ends, not when its method returns. */
@AppTest(Shop.class)
class AsyncTest {

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final String key = Client.newKey();

    AsyncTest(App shop) {
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
        this.store = shop.bean(FaultyStore.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"callable", "deferred", "future"})
    void anAsynchronousAnswerIsReplayed(String kind) {
        Answer first = client.post("/orders/" + kind, key);
        Answer second = client.post("/orders/" + kind, key);

        assertThat(first.body()).isEqualTo(kind + " 1");
        assertThat(second.replayed()).isTrue();
        assertThat(second.status()).isEqualTo(first.status());
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"callable", "task", "stream", "decorated"})
    void theContextIsBoundWhereSpringRunsTheWork(String kind) {
        assertThat(client.post("/orders/bound/" + kind, key).body()).isEqualTo(key);
    }

    /** More requests than the executor has threads, so that one is used again. */
    @Test
    void theContextIsGoneFromThreadsThatAreUsedAgain() {
        for (int i = 0; i < 10; i++) {
            client.post("/orders/bound/callable", Client.newKey());
            assertThat(client.send(client.request("/orders/bound").GET()).body())
                    .isEqualTo("none");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"callable", "deferred", "future"})
    void theKeyIsInProgressUntilTheAsynchronousWorkEnds(String kind) {
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/orders/" + kind, key);
        await().until(() -> runs.of(key) == 1);

        assertThat(client.post("/orders/" + kind, key).status()).isEqualTo(409);
        runs.open(key);
        assertThat(first.join().body()).isEqualTo(kind + " 1");
    }

    @Test
    void asynchronousWorkThatFailsFreesTheKey() {
        assertThat(client.post("/orders/future-fails-once", key).status()).isEqualTo(500);

        Answer second = client.post("/orders/future-fails-once", key);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.replayed()).isFalse();
    }

    /** The work may still be running when the container gives up: it must not be run beside itself. */
    @Test
    void afterATimeoutTheNextAttemptIsToldToComeBackWithinALease() {
        assertThat(client.post("/orders/never", key).status()).isEqualTo(503);

        Answer second = client.post("/orders/never", key);
        assertThat(second.status()).isEqualTo(409);
        assertThat(Integer.parseInt(second.header("Retry-After"))).isBetween(1, 30);
        assertThat(runs.of(key)).isEqualTo(1);
    }

    /** A stage that times out or is cancelled ends, and what it stood for may go on. */
    @ParameterizedTest
    @ValueSource(strings = {"never", "times-out/by-itself", "times-out/cancelled"})
    void aTimeoutLeavesTheKeyToItsLease(String kind) {
        assertThat(client.post("/orders/" + kind, key).status()).isGreaterThanOrEqualTo(500);

        assertThat(client.post("/orders/" + kind, key).status()).isEqualTo(409);
        assertThat(runs.of(key)).isEqualTo(1);
        assertThat(store.inspect(new RecordId(IdempotencyKey.of(key), new Scope("http.shop"))))
                .get()
                .extracting(RecordSnapshot::state)
                .isEqualTo(RecordState.PENDING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "streaming"})
    void aStreamIsNotHeldBackAndItsReplaySaysThatTheBodyIsOmitted(String kind) throws Exception {
        runs.shut(key);
        CompletableFuture<String> beginning = client.firstBytes("/orders/" + kind, key, "first".length());
        assertThat(beginning.get()).isNotEmpty();
        assertThat(client.post("/orders/" + kind, key).status()).isEqualTo(409);
        runs.open(key);

        await().untilAsserted(() ->
                assertThat(client.post("/orders/" + kind, key).status()).isEqualTo(200));
        Answer replay = client.post("/orders/" + kind, key);
        assertThat(replay.replayed()).isTrue();
        assertThat(replay.header("Idempotency-Body-Omitted")).isEqualTo("true");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aHandlerGetsItsContextAsAParameter() {
        assertThat(client.post("/orders/context", key).body()).isEqualTo("true http.shop 1");
    }
}
