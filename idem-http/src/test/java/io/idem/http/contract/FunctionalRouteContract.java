package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Scope;
import io.idem.http.IdempotentRoute;
import io.idem.http.contract.Client.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;

/** H-10: functional routes, protected by beans that name their paths. */
public abstract class FunctionalRouteContract {

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final String key = Client.newKey();

    protected FunctionalRouteContract(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.store = app.bean(FaultyStore.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "handled", "refused", "entity"})
    void aFunctionIsAnsweredOnceAndReplayed(String kind) {
        assertAnsweredOnceAndReplayed(kind);
    }

    protected final void assertAnsweredOnceAndReplayed(String kind) {
        Answer first = client.post("/routed/" + kind, key);
        Answer second = client.post("/routed/" + kind, key);

        assertThat(first.body()).contains("1");
        assertThat(first.replayed()).isFalse();
        assertThat(second.status()).isEqualTo(first.status());
        assertThat(second.header("Location")).isEqualTo(first.header("Location"));
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(second.replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aFormReachesItsFunction() {
        Answer answer = client.send(client.request("/routed/form")
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString("item=tea")));

        assertThat(answer.body()).isEqualTo("tea 1");
    }

    @Test
    void serverSentEventsOfAFunctionAreNotHeldBack() throws Exception {
        runs.shut(key);
        CompletableFuture<String> beginning = client.firstBytes("/routed/sse", key, 5);
        assertThat(beginning.get()).isEqualTo("data:");
        runs.open(key);

        await().untilAsserted(() ->
                assertThat(client.post("/routed/sse", key).replayed()).isTrue());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aFailureOfTheFunctionFreesTheKey() {
        assertThat(client.post("/routed/fails-once", key).status()).isEqualTo(500);
        assertThat(client.post("/routed/fails-once", key).body()).isEqualTo("run 2");
    }

    @Test
    void aFunctionsRouteRefusesAsEveryOther() {
        client.post("/routed/plain", key);

        assertThat(client.post("/routed/plain", key, "{\"other\":1}").status()).isEqualTo(422);
        assertThat(client.post("/routed/plain", "\"").body()).contains("urn:idem:problem:key-malformed");
        assertThat(client.post("/routed/plain", Client.newKey(), "x".repeat(3000))
                        .status())
                .isEqualTo(413);
        assertThat(client.send(client.request("/routed/plain").POST(BodyPublishers.noBody()))
                        .body())
                .contains("urn:idem:problem:key-missing");
    }

    @Test
    void aDuplicateOfARunningFunctionGets409() {
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/routed/plain", key);
        await().until(() -> runs.of(key) == 1);

        Answer duplicate = client.post("/routed/plain", key);
        runs.open(key);

        assertThat(duplicate.status()).isEqualTo(409);
        assertThat(duplicate.header("Retry-After")).isNotEmpty();
        assertThat(first.join().body()).isEqualTo("plain 1");
    }

    @Test
    void aSilentStoreGets503AndNoFunctionRuns() {
        store.failNextAcquire(FaultyStore.silence());

        Answer answer = client.post("/routed/plain", key);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(runs.of(key)).isZero();
    }

    @Test
    void methodsThatTheRouteDoesNotNameAreLeftAlone() {
        client.send(client.request("/routed/plain").header(Client.KEY, key).PUT(BodyPublishers.noBody()));
        client.send(client.request("/routed/plain").header(Client.KEY, key).PUT(BodyPublishers.noBody()));

        assertThat(runs.of(key)).isEqualTo(2);
    }

    @Test
    void aReplayConditionMayOpenTheRecord() {
        assertThat(refined("again-" + key).replayed()).isFalse();
        assertThat(refined("again-" + key).replayed()).isFalse();

        assertThat(refined("plain-" + key).replayed()).isFalse();
        assertThat(refined("plain-" + key).replayed()).isTrue();
    }

    @Test
    void aReplayConditionWithoutTheStoreGives503() {
        refined("silent-" + key);

        Answer answer = refined("silent-" + key);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("urn:idem:problem:store-unavailable");
    }

    private Answer refined(String keyOfOnesOwn) {
        return client.send(
                client.request("/refined").header(Client.KEY, keyOfOnesOwn).PUT(BodyPublishers.noBody()));
    }

    @Test
    void aRouteMayNameItsMethodsAndRefineItsOptions() {
        Answer first =
                client.send(client.request("/refined").header(Client.KEY, key).PUT(BodyPublishers.noBody()));
        Answer second =
                client.send(client.request("/refined").header(Client.KEY, key).PUT(BodyPublishers.noBody()));
        Answer withoutKey = client.send(client.request("/refined").PUT(BodyPublishers.noBody()));

        assertThat(first.body()).isEqualTo("http.refined");
        assertThat(second.replayed()).isTrue();
        assertThat(withoutKey.body()).isEqualTo("unprotected");
    }

    /** Returns the route of most functions. */
    public static IdempotentRoute routed() {
        return IdempotentRoute.post("/routed/**");
    }

    /** Returns a route with a method and options of its own. */
    public static IdempotentRoute refinedBy(FaultyStore store) {
        return IdempotentRoute.of(HttpMethod.PUT, "/refined")
                .with(options -> options.required(false)
                        .scope(new Scope("http.refined"))
                        .replayCondition(new KeyedReplayCondition(store)));
    }
}
