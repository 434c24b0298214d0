package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.Reconciler;
import io.idem.Reconciliation;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.UnknownOutcome;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import io.idem.http.contract.Client.Answer;
import io.idem.operations.ScopeRegistry;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Policies of HTTP scopes: what a route says wins over its scope's settings, and an unknown outcome is decided upon. */
public abstract class ScopePolicyContract {

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final Questions questions;
    private final ScopeRegistry registry;
    private final String key = Client.newKey();

    protected ScopePolicyContract(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.store = app.bean(FaultyStore.class);
        this.questions = app.bean(Questions.class);
        this.registry = app.bean(ScopeRegistry.class);
    }

    private RecordId anOwnerDies(String scope) {
        RecordId record = new RecordId(IdempotencyKey.of(key), new Scope(scope));
        store.acquire(new AcquireRequest(
                record,
                OwnerToken.random(new SecureRandom()),
                Duration.ofMillis(1),
                Duration.ofHours(1),
                Fingerprint.NONE,
                0,
                0));
        return record;
    }

    @Test
    void aRequestWhoseFirstAttemptMayHaveTakenEffectIsRejected() {
        RecordId record = anOwnerDies("rejecting");

        Answer answer = client.post("/orders/no-content", key);

        assertThat(answer.body()).contains("urn:idem:problem:rejected");
        assertThat(runs.of(key)).isZero();
        assertThat(store.inspect(record).orElseThrow().state()).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void aRequestThatAReconcilerKnowsToBeDoneIsAnsweredWithTheResponseItNames() {
        anOwnerDies("asking");

        Answer answer = client.post("/orders", key);

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo("found");
        assertThat(answer.replayed()).isTrue();
        assertThat(client.post("/orders", key).body()).isEqualTo("found");
        assertThat(runs.of(key)).isZero();
        assertThat(questions.asked)
                .filteredOn(question -> question.key().equals(IdempotencyKey.of(key)))
                .singleElement()
                .satisfies(
                        question -> assertThat(question.payload(byte[].class)).isPresent());
    }

    @Test
    void aRequestThatAReconcilerKnowsToBeDoneWithoutAResultGets409() {
        questions.withoutResult.add(IdempotencyKey.of(key));
        anOwnerDies("asking");

        Answer answer = client.post("/orders", key);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body()).contains("urn:idem:problem:answer-not-kept");
        assertThat(client.post("/orders", key).body()).contains("urn:idem:problem:answer-not-kept");
        assertThat(runs.of(key)).isZero();
    }

    @Test
    void aRoutesOwnValuesWinOverItsScopesSettings() {
        ExecutionPolicy rejecting = policy("rejecting");
        ExecutionPolicy asking = policy("asking");

        assertThat(rejecting.retention()).isEqualTo(Duration.ofHours(5));
        assertThat(rejecting.maxAttempts()).isEqualTo(7);
        assertThat(asking.retention()).isEqualTo(Duration.ofHours(3));
        assertThat(asking.maxAttempts()).isZero();
    }

    @Test
    void theFirstDuplicateOfAScopeIsAskedBackSoon() {
        runs.shut(key);
        CompletableFuture<Answer> first = client.postAsync("/orders/optional", key);
        await().until(() -> runs.of(key) == 1);

        Answer second = client.post("/orders/optional", key);

        assertThat(second.status()).isEqualTo(409);
        assertThat(Integer.parseInt(second.header("Retry-After"))).isBetween(1, 2);
        runs.open(key);
        assertThat(first.join().replayed()).isFalse();
    }

    private ExecutionPolicy policy(String scope) {
        return Objects.requireNonNull(registry.policies().get(new Scope(scope)));
    }

    /** Finds out that everything was done. */
    public static final class Questions implements Reconciler {

        private final List<UnknownOutcome> asked = new CopyOnWriteArrayList<>();
        private final Set<IdempotencyKey> withoutResult = ConcurrentHashMap.newKeySet();

        @Override
        public Reconciliation reconcile(UnknownOutcome question) {
            asked.add(question);
            if (withoutResult.contains(question.key())) {
                return Reconciliation.done();
            }
            return Reconciliation.done(StoredResponseCodec.encode(
                    StoredResponse.of(201, List.of(), "found".getBytes(StandardCharsets.UTF_8))));
        }
    }
}
