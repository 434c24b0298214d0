package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Reconciler;
import io.idem.Reconciliation;
import io.idem.Scope;
import io.idem.ScopeRegistry;
import io.idem.UnknownOutcome;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.Runs;
import io.idem.spi.AcquireRequest;
import io.idem.spi.OwnerToken;
import io.idem.spi.RecordId;
import io.idem.spi.RecordState;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Policies of HTTP scopes: what a route says wins over its scope's settings, and an unknown outcome is decided upon. */
@AppTest(
        value = ScopePolicyTest.Asked.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.scope=parking",
            "idem.http.routes[0].path=/orders/**",
            "idem.http.routes[1].path=/orders",
            "idem.http.routes[1].scope=asking",
            "idem.http.routes[1].retention=3h",
            "idem.scopes.parking.takeover=park",
            "idem.scopes.parking.retention=5h",
            "idem.scopes.parking.max-attempts=7",
            "idem.scopes.asking.takeover=reconcile",
            "idem.scopes.asking.retention=9h",
        })
class ScopePolicyTest {

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final Questions questions;
    private final ScopeRegistry registry;
    private final String key = Client.newKey();

    ScopePolicyTest(App app) {
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
    void aRequestWhoseFirstAttemptMayHaveTakenEffectIsParked() {
        RecordId record = anOwnerDies("parking");

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
                .singleElement()
                .satisfies(
                        question -> assertThat(question.payload(byte[].class)).isPresent());
    }

    @Test
    void aRoutesOwnValuesWinOverItsScopesSettings() {
        ExecutionPolicy parking = policy("parking");
        ExecutionPolicy asking = policy("asking");

        assertThat(parking.retention()).isEqualTo(Duration.ofHours(5));
        assertThat(parking.maxAttempts()).isEqualTo(7);
        assertThat(asking.retention()).isEqualTo(Duration.ofHours(3));
        assertThat(asking.maxAttempts()).isZero();
    }

    private ExecutionPolicy policy(String scope) {
        return Objects.requireNonNull(registry.policies().get(new Scope(scope)));
    }

    /** What the reconciler was asked. */
    static class Questions {

        private final List<UnknownOutcome> asked = new CopyOnWriteArrayList<>();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Shop.Orders.class})
    static class Asked {

        @Bean
        Questions questions() {
            return new Questions();
        }

        @Bean
        Reconciler provider(Questions questions) {
            StoredResponse found = StoredResponse.of(201, List.of(), "found".getBytes(StandardCharsets.UTF_8));
            return question -> {
                questions.asked.add(question);
                return Reconciliation.done(StoredResponseCodec.encode(found));
            };
        }
    }
}
