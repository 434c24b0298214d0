package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.contract.Client.Answer;
import io.idem.http.internal.admission.WaitingRoom;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Duplicates that wait for the answer of a running request. */
public abstract class WaitContract {

    private static final int SEATS = 50;

    protected final App app;
    protected final Client client;
    protected final Runs runs;
    protected final WaitingRoom room;
    protected final String key = Client.newKey();

    protected WaitContract(App app) {
        this.app = app;
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.room = app.bean(WaitingRoom.class);
    }

    /** Sends a request that runs until the key's gate is opened. */
    protected CompletableFuture<Answer> running(String path) {
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync(path, key);
        await().until(() -> runs.of(key) == 1);
        return first;
    }

    protected List<CompletableFuture<Answer>> waiting(String path, int count) {
        List<CompletableFuture<Answer>> sent =
                Stream.generate(() -> client.postAsync(path, key)).limit(count).toList();
        await().until(() -> room.waiting() == count);
        return sent;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/patient/run", "/patient/late"})
    void allDuplicatesThatWaitGetTheAnswerOfTheRunningRequest(String path) {
        CompletableFuture<Answer> first = running(path);
        List<CompletableFuture<Answer>> waiting = waiting(path, 5);
        runs.open(key);

        assertThat(first.join().body()).isEqualTo("run 1 of {}");
        assertThat(waiting).allSatisfy(each -> {
            assertThat(each.join().bytes()).isEqualTo(first.join().bytes());
            assertThat(each.join().replayed()).isTrue();
        });
        assertThat(runs.of(key)).isEqualTo(1);
        assertThat(room.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/patient/fails-once", "/patient/late-fails-once"})
    void ofManyDuplicatesThatWaitExactlyOneRunsAfterAFailure(String path) {
        CompletableFuture<Answer> first = running(path);
        List<CompletableFuture<Answer>> waiting = waiting(path, SEATS);
        runs.open(key);

        assertThat(first.join().status()).isEqualTo(500);
        List<Answer> answers = waiting.stream().map(CompletableFuture::join).toList();
        assertThat(answers).extracting(Answer::body).containsOnly("run 2 of {}");
        assertThat(answers).filteredOn(answer -> !answer.replayed()).hasSize(1);
        assertThat(runs.of(key)).isEqualTo(2);
        await().until(() -> room.waiting() == 0);
    }

    @Test
    void aDuplicateThatFindsNoSeatIsRefusedAtOnce() {
        CompletableFuture<Answer> first = running("/patient/run");
        List<CompletableFuture<Answer>> waiting = waiting("/patient/run", SEATS);

        Answer refused = client.post("/patient/run", key);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(first).isNotDone();
        runs.open(key);
        assertThat(waiting)
                .allSatisfy(each -> assertThat(each.join().replayed()).isTrue());
        await().until(() -> room.waiting() == 0);
    }

    @Test
    void aWaitEndsWithItsTime() {
        CompletableFuture<Answer> first = running("/hasty/run");

        Answer refused = client.post("/hasty/run", key);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(first).isNotDone();
        runs.open(key);
        assertThat(first.join().status()).isEqualTo(200);
        await().until(() -> room.waiting() == 0);
    }

    @Test
    void aFormReachesTheHandlerOfADuplicateThatRunsInTheEnd() {
        runs.shut(key);
        CompletableFuture<Answer> first = form();
        await().until(() -> runs.of(key) == 1);
        CompletableFuture<Answer> second = form();
        await().until(() -> room.waiting() == 1);
        runs.open(key);

        assertThat(first.join().status()).isEqualTo(500);
        assertThat(second.join().body()).isEqualTo("run 2 of book");
    }

    private CompletableFuture<Answer> form() {
        return client.sendAsync(client.request("/patient/form")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString("item=book")));
    }

    @Test
    void aRouteMayRefuseDuplicatesOfARunningRequestWith503() {
        CompletableFuture<Answer> first = running("/unavailable/run");

        Answer refused = client.post("/unavailable/run", key);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(refused.header("Link")).contains("#in-progress>");
        assertThat(refused.body())
                .contains("\"type\":\"urn:idem:problem:in-progress\"", "\"status\":503", "\"code\":\"in-progress\"");
        runs.open(key);
        assertThat(first.join().status()).isEqualTo(200);
    }
}
