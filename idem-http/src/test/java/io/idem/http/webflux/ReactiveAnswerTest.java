package io.idem.http.webflux;

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
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;

/** What only a reactive server does: answers without a write, commit hooks, streams, failures beside the answer. */
@AppTest(value = ReactiveAnswerTest.Breaking.class, type = WebApplicationType.REACTIVE)
class ReactiveAnswerTest {

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final String key = Client.newKey();

    ReactiveAnswerTest(App shop) {
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
        this.store = shop.bean(FaultyStore.class);
    }

    @Test
    void anAnswerThatTheServerEndsIsReplayed() {
        assertThat(client.post("/orders/silent", key).status()).isEqualTo(200);

        assertThat(client.post("/orders/silent", key).replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void whatACommitHookOfTheHandlerSetsIsReplayed() {
        assertThat(client.post("/orders/commit-hook", key).header("X-Late")).isEqualTo("late");

        Answer second = client.post("/orders/commit-hook", key);
        assertThat(second.replayed()).isTrue();
        assertThat(second.header("X-Late")).isEqualTo("late");
    }

    /** Its body has a time stamp: rendered again, it would be another. */
    @ParameterizedTest
    @ValueSource(ints = {400, 404, 422})
    void theErrorAnswerOfADeterministicRefusalIsReplayedByteForByte(int status) {
        Answer first = client.post("/orders/thrown/" + status, key);
        Answer second = client.post("/orders/thrown/" + status, key);

        assertThat(first.status()).isEqualTo(status);
        assertThat(first.body()).contains("timestamp");
        assertThat(second.status()).isEqualTo(status);
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"401", "409", "503", "annotated"})
    void aFailureWithAPassingStatusFreesTheKey(String kind) {
        client.post("/orders/thrown/" + kind, key);
        Answer second = client.post("/orders/thrown/" + kind, key);

        assertThat(second.replayed()).isFalse();
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @Test
    void anExceptionFreesTheKey() {
        assertThat(client.post("/orders/fails-once", key).status()).isEqualTo(500);

        assertThat(client.post("/orders/fails-once", key).body()).isEqualTo("run 2");
    }

    /** Two such bodies would count as one, which is none. */
    @ParameterizedTest
    @CsvSource({
        "application/json, 3",
        "application/json, -1",
        "application/x-www-form-urlencoded, 3",
        "multipart/mixed, -1"
    })
    void aBodyThatAFilterHasReadIsNotTakenForNone(String type, int length) {
        for (String body : List.of("a=1", "a=2")) {
            BodyPublisher sent = BodyPublishers.ofString(body);
            Answer refused = client.send(client.request("/orders/silent")
                    .setHeader("Content-Type", type)
                    .header("X-Read", "before")
                    .header(Client.KEY, key)
                    .POST(length < 0 ? BodyPublishers.fromPublisher(sent) : sent));

            assertThat(refused.status()).isEqualTo(500);
        }
        assertThat(runs.of(key)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "error"})
    void aRequestThatFailsBeforeItsWorkBeginsFreesItsKey(String broken) {
        assertThat(client.post("/orders/fails-once", key, request -> request.header("X-Broken", broken))
                        .status())
                .isEqualTo(500);
        assertThat(runs.of(key)).isZero();

        assertThat(client.post("/orders/fails-once", key).status()).isEqualTo(500);
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aHandlerThatTimesOutLeavesItsKeyToItsLease() {
        assertThat(client.post("/orders/times-out", key).status()).isEqualTo(500);

        assertThat(client.post("/orders/times-out", key).status()).isEqualTo(409);
        assertThat(runs.of(key)).isEqualTo(1);
        assertThat(store.inspect(new RecordId(IdempotencyKey.of(key), new Scope("http.shop"))))
                .get()
                .extracting(RecordSnapshot::state)
                .isEqualTo(RecordState.PENDING);
    }

    @Test
    void aHandlerWhoseOwnConnectionBrokeGets500AndFreesTheKey() {
        assertThat(client.post("/orders/loses-connection-once", key).status()).isEqualTo(500);

        assertThat(client.post("/orders/loses-connection-once", key).body()).isEqualTo("run 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"handled", "handled-late"})
    void theAnswerOfAnExceptionHandlerIsReplayed(String kind) {
        Answer first = client.post("/orders/" + kind, key);
        Answer second = client.post("/orders/" + kind, key);

        assertThat(first.status()).isEqualTo(422);
        assertThat(first.body()).isEqualTo("handled 1");
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
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
        assertThat(replay.bytes()).isEmpty();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aStreamThatFailsFreesTheKey() throws Exception {
        runs.shut(key);
        assertThat(client.firstBytes("/orders/events-fail-once", key, "data:first".length())
                        .get())
                .isEqualTo("data:first");
        runs.open(key);

        await().untilAsserted(() ->
                assertThat(client.post("/orders/events-fail-once", key).body()).contains("run 2"));
    }

    /** Netty has as many threads as the machine has processors, and at least four: if waiting took one, nothing would be answered. */
    @Test
    void duplicatesThatWaitHoldNoThread() {
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/annotated/special", key);
        await().until(() -> runs.of(key) == 1);
        List<CompletableFuture<Answer>> waiting = IntStream.range(0, 100)
                .mapToObj(unused -> client.postAsync("/annotated/special", key))
                .toList();

        assertThat(client.post("/orders", Client.newKey()).status()).isEqualTo(201);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        runs.open(key);

        assertThat(first.join().body()).isEqualTo("run 1");
        assertThat(waiting).allMatch(answer -> answer.join().replayed());
    }

    @Test
    void aHandlerWhoseLeaseEndedIsDeferredRatherThanAnswered() {
        Answer answer = client.post("/orders/lease-lost", key);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
        assertThat(answer.body()).contains("urn:idem:problem:in-progress");
    }

    @Test
    void aHandlerFindsItsContextAsAParameterAndInReactorsContext() {
        assertThat(client.post("/orders/context", key).body()).isEqualTo("http.shop true");
    }

    @SpringBootConfiguration
    @Import(ReactiveShop.class)
    static class Breaking {

        @Bean
        @Order(-100)
        WebFilter reading() {
            return (exchange, chain) -> exchange.getRequest().getHeaders().containsHeader("X-Read")
                    ? DataBufferUtils.join(exchange.getRequest().getBody())
                            .map(DataBufferUtils::release)
                            .then(chain.filter(exchange))
                    : chain.filter(exchange);
        }

        /** Exchanges that take no attribute of the handler's run. */
        @Bean
        @Order(-100)
        WebFilter breaking() {
            return (exchange, chain) -> exchange.getRequest().getHeaders().containsHeader("X-Broken")
                    ? chain.filter(new ServerWebExchangeDecorator(exchange) {
                        @Override
                        public Map<String, Object> getAttributes() {
                            return new AbstractMap<>() {
                                @Override
                                public Set<Entry<String, Object>> entrySet() {
                                    return exchange.getAttributes().entrySet();
                                }

                                @Override
                                public Object put(String name, Object value) {
                                    if (name.endsWith("HandlerRun")) {
                                        if ("error"
                                                .equals(exchange.getRequest()
                                                        .getHeaders()
                                                        .getFirst("X-Broken"))) {
                                            throw new AssertionError("ordered by a test");
                                        }
                                        throw new IllegalStateException("ordered by a test");
                                    }
                                    return exchange.getAttributes().put(name, value);
                                }
                            };
                        }
                    })
                    : chain.filter(exchange);
        }
    }
}
