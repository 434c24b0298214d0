package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import io.idem.http.contract.Client.Answer;
import io.idem.spi.ForcedEnd;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

public abstract class StoreFaultContract {

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final String key = Client.newKey();

    protected StoreFaultContract(App shop) {
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
        this.store = shop.bean(FaultyStore.class);
    }

    @Test
    void aSilentStoreGets503WithRetryAfterAndNothingRuns() {
        store.failNextAcquire(FaultyStore.silence());

        Answer answer = client.post("/orders", key);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isNotEmpty();
        assertThat(answer.body()).contains("urn:idem:problem:store-unavailable", "\"retryWithSameKey\":true");
        assertThat(runs.of(key)).isZero();
        assertThat(client.post("/orders", key).status()).isEqualTo(201);
    }

    @Test
    void aRecordOfSomethingElseGets503AndNothingRuns() {
        store.failNextAcquire(new UnreadableRecordException(record(), "a hash"));

        Answer answer = client.post("/orders", key);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("urn:idem:problem:record-unreadable");
        assertThat(runs.of(key)).isZero();
    }

    @Test
    void aSilentCompleteIsTriedAgainBeforeTheAnswer() {
        store.answerNextComplete(lease -> {
            throw FaultyStore.silence();
        });

        Answer first = client.post("/orders", key);

        assertThat(first.status()).isEqualTo(201);
        assertThat(client.post("/orders", key).bytes()).isEqualTo(first.bytes());
    }

    @Test
    void aStoreThatStaysSilentGets503AndTheKeyIsNotGivenBack() {
        store.silentOnComplete(true);
        Answer answer = client.post("/orders", key);
        store.silentOnComplete(false);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("urn:idem:problem:outcome-unrecorded");
        assertThat(answer.header("Location"))
                .as("header of the withdrawn answer")
                .isEmpty();
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(client.post("/orders", key).status()).isEqualTo(409);
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aHandOffRouteAnswersAllTheSame() {
        store.silentOnComplete(true);
        Answer answer = client.post("/orders/callable", key);
        store.silentOnComplete(false);

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo("callable 1");
    }

    @Test
    void anAnswerThatAnotherOwnerStoredMeanwhileIsGivenInsteadOfOnesOwn() {
        StoredResult stored = StoredResponseCodec.encode(
                StoredResponse.of(200, List.of(), "the other's".getBytes(StandardCharsets.UTF_8)));
        store.answerNextComplete(lease -> new StoreAnswer.Lost(RecordState.COMPLETED, stored));

        Answer answer = client.post("/orders", key);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("the other's");
        assertThat(answer.replayed()).isTrue();
        assertThat(answer.header("Location")).isEmpty();
    }

    @Test
    void aRecordThatWasLostGets503AndIsRestoredForTheRetry() {
        store.answerNextComplete(lease -> {
            store.healthy().fail(lease, Duration.ZERO);
            return new StoreAnswer.Lost(RecordState.ABSENT, StoredResult.NONE);
        });

        Answer answer = client.post("/orders", key);
        Answer retry = client.post("/orders", key);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("urn:idem:problem:outcome-unrecorded");
        assertThat(retry.status()).isEqualTo(201);
        assertThat(retry.replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aRejectedOperationGets409WithoutRetryAfter() {
        store.answerNextComplete(lease -> store.healthy().reject(lease, "internal reason"));
        client.post("/orders", key);

        Answer answer = client.post("/orders", key);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body())
                .contains("urn:idem:problem:rejected", "\"retryWithSameKey\":false")
                .doesNotContain("internal reason");
        assertThat(answer.header("Retry-After")).isEmpty();
    }

    @Test
    void aResultThatIsNoHttpAnswerGets503() {
        store.answerNextComplete(lease ->
                store.healthy().complete(lease, StoredResult.of("other", new byte[] {1, 2, 3})));
        client.post("/orders", key);

        Answer answer = client.post("/orders", key);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("urn:idem:problem:record-unreadable");
    }

    @Test
    void anAnswerThatIsNotKeptGets409AndNothingRuns() {
        store.answerNextComplete(lease -> store.healthy().complete(lease, StoredResult.OMITTED));
        client.post("/orders", key);

        Answer answer = client.post("/orders", key);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body()).contains("urn:idem:problem:answer-not-kept", "\"retryWithSameKey\":false");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    /** Completed by an operator, or by a reconciler that had no result. */
    @Test
    void anOperationThatWasCompletedWithoutAResultGets409AndNothingRuns() {
        client.post("/orders/fails-once", key);
        RecordSnapshot unfinished = store.healthy().inspect(record()).orElseThrow();
        store.healthy().force(record(), unfinished.fence(), ForcedEnd.COMPLETED, Duration.ofHours(1));

        Answer answer = client.post("/orders/fails-once", key);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body()).contains("urn:idem:problem:answer-not-kept", "\"retryWithSameKey\":false");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void anAttemptWhoseLeaseEndedIsTakenOver() {
        client.post("/orders/fails-once", key);
        store.advance(Duration.ofMinutes(1));

        assertThat(client.post("/orders/fails-once", key).status()).isEqualTo(200);
    }

    @Test
    void aTakeoverThatDoesNotReachItsHandlerIsLeftToTheNextRequest() {
        store.healthy().acquire(request(Duration.ofMillis(1)));
        store.advance(Duration.ofSeconds(1));

        assertThat(client.post("/orders/status/many", key).status()).isBetween(400, 499);
        assertThat(runs.of(key)).isZero();
        assertThat(store.healthy().acquire(request(Duration.ofMinutes(1))))
                .isInstanceOfSatisfying(Claim.Granted.class, next -> {
                    assertThat(next.isTakeover()).isTrue();
                    assertThat(next.lease().attempt()).isEqualTo(2);
                });
    }

    private AcquireRequest request(Duration lease) {
        OwnerToken owner = OwnerToken.random(new SecureRandom());
        return new AcquireRequest(record(), owner, lease, Duration.ofHours(1), Fingerprint.NONE, 0, 0);
    }

    @Test
    void aRouteMayKeepItsAnswersForATimeOfItsOwn() {
        String other = Client.newKey();
        client.post("/orders/no-content", key);
        client.post("/orders", other);
        store.advance(Duration.ofHours(2));

        assertThat(client.post("/orders/no-content", key).replayed()).isFalse();
        assertThat(client.post("/orders", other).replayed()).isTrue();
    }

    private RecordId record() {
        return new RecordId(IdempotencyKey.of(key), new Scope("http.shop"));
    }
}
