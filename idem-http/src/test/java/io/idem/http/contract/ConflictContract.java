package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.Scope;
import io.idem.http.contract.Client.Answer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

public abstract class ConflictContract {

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final String key = Client.newKey();

    protected ConflictContract(App shop) {
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
        this.store = shop.bean(FaultyStore.class);
    }

    /** H-07 */
    @Test
    void aDuplicateOfARunningRequestGets409WithRetryAfter() {
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/orders", key);
        await().until(() -> runs.of(key) == 1);

        Answer second = client.post("/orders", key);

        assertThat(second.status()).isEqualTo(409);
        assertThat(Integer.parseInt(second.header("Retry-After"))).isBetween(1, 30);
        assertThat(second.body()).contains("urn:idem:problem:in-progress", "\"retryWithSameKey\":true");
        runs.open(key);
        assertThat(first.join().status()).isEqualTo(201);
        assertThat(client.post("/orders", key).bytes()).isEqualTo(first.join().bytes());
    }

    @Test
    void retryAfterIsWhatSuchRequestsUsuallyTakeAndNotTheLease() {
        client.post("/orders", Client.newKey());
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/orders", key);
        await().until(() -> runs.of(key) == 1);

        Answer second = client.post("/orders", key);

        assertThat(Integer.parseInt(second.header("Retry-After"))).isBetween(1, 20);
        runs.open(key);
        assertThat(first.join().status()).isEqualTo(201);
    }

    @Test
    void aDuplicateThatMayWaitGetsTheAnswerOfTheRunningRequest() {
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/annotated/special", key);
        await().until(() -> runs.of(key) == 1);
        CompletableFuture<Answer> second = client.postAsync("/annotated/special", key);
        await().until(() -> store.acquires(IdempotencyKey.of(key)) >= 4);
        runs.open(key);

        assertThat(second.join().body()).isEqualTo("run 1");
        assertThat(second.join().replayed()).isTrue();
        assertThat(first.join().body()).isEqualTo("run 1");
    }

    @Test
    void twoHundredParallelRequestsWithOneKeyRunOnce() {
        List<CompletableFuture<Answer>> sent = IntStream.range(0, 200)
                .mapToObj(unused -> client.postAsync("/orders", key))
                .toList();
        List<Answer> answers = sent.stream().map(CompletableFuture::join).toList();

        assertThat(runs.of(key)).isEqualTo(1);
        assertThat(answers).allMatch(answer -> answer.status() == 201 || answer.status() == 409);
        assertThat(answers.stream()
                        .filter(answer -> answer.status() == 201)
                        .map(Answer::body)
                        .distinct())
                .hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() == 201 && !answer.replayed()))
                .hasSize(1);
    }

    /** H-08 */
    @Test
    void theSameKeyWithAnotherBodyGets422AndLeavesTheRecordUntouched() {
        Answer first = client.post("/orders", key, "{\"amount\":1}");
        Optional<RecordSnapshot> before = record();

        Answer second = client.post("/orders", key, "{\"amount\":2}");

        assertThat(second.status()).isEqualTo(422);
        assertThat(second.body()).contains("urn:idem:problem:key-reused", "\"retryWithSameKey\":false");
        assertThat(record()).isPresent().isEqualTo(before);
        assertThat(client.post("/orders", key, "{\"amount\":1}").bytes()).isEqualTo(first.bytes());
    }

    @Test
    void theSameKeyOnAnotherPathOrWithAnotherQueryGets422() {
        client.post("/orders", key);

        assertThat(client.post("/orders/no-content", key).status()).isEqualTo(422);
        assertThat(client.post("/orders?x=1", key).status()).isEqualTo(422);
    }

    private Optional<RecordSnapshot> record() {
        return store.inspect(new RecordId(IdempotencyKey.of(key), new Scope("http.shop")));
    }
}
