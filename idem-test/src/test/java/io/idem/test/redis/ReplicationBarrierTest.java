package io.idem.test.redis;

import static io.idem.test.redis.Acquires.granted;
import static io.idem.test.redis.Acquires.lease;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Fingerprint;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.redis.ReplicationSettings;
import io.idem.redis.UnsuitableRedisException;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.retry.RetrySettings;
import io.idem.retry.RetryingIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What replicas must confirm before a grant or an outcome counts, and what happens when they do not. */
@Tag("servers")
class ReplicationBarrierTest {

    private static final StoredResult RECEIPT = StoredResult.of("json", new byte[] {1, 2, 3});

    private final ReplicatedRedis redis = new ReplicatedRedis();
    private final RecordId record = someRecord();

    @AfterEach
    void stop() {
        redis.close();
    }

    private static void assertUnavailable(Execution execution, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        unavailable -> assertThat(unavailable.execution()).isEqualTo(execution))
                .hasMessageContaining("0 of 1 replicas");
    }

    private static IdempotencyStore persistent(IdempotencyStore store, Duration budget) {
        return new RetryingIdempotencyStore(store, RetrySettings.within(budget));
    }

    private static AcquireRequest shortLived(RecordId record, Duration lease, int maxAttempts) {
        return new AcquireRequest(
                record,
                OwnerToken.random(new SecureRandom()),
                lease,
                Duration.ofHours(1),
                Fingerprint.NONE,
                0,
                maxAttempts);
    }

    @Test
    void whatTheReplicaConfirmedSurvivesAFailover() {
        IdempotencyStore store = redis.gated();
        RecordId completed = someRecord();
        Lease lease = lease(store, record);
        assertThat(store.complete(lease(store, completed), RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
        redis.replication.blackHole();

        IdempotencyStore promoted = redis.failover();

        assertThat(promoted.acquire(request(record))).isInstanceOf(Claim.InProgress.class);
        assertThat(promoted.acquire(request(completed))).isInstanceOf(Claim.Replay.class);
        assertThat(promoted.complete(lease, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
    }

    @Test
    void withoutTheBarrierAFailoverLosesAGrantThatHasNotSpread() {
        IdempotencyStore store = redis.plain();
        store.inspect(record);
        redis.replication.blackHole();
        lease(store, record);

        IdempotencyStore promoted = redis.failover();

        assertThat(granted(promoted.acquire(request(record))).kind()).isEqualTo(GrantKind.FRESH);
    }

    @Test
    void aGrantThatHasNotSpreadIsTakenBackAndCountsNoAttempt() {
        IdempotencyStore store = redis.hastilyGated();
        lease(redis.gated(), someRecord());
        redis.replication.blackHole();

        assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(shortLived(record, Acquires.LEASE, 1)));

        RecordSnapshot left = store.inspect(record).orElseThrow();
        assertThat(left.state()).isEqualTo(RecordState.FAILED);
        assertThat(left.attempts()).isZero();
        redis.replication.pass();
        Claim.Granted next = await().ignoreException(StoreUnavailableException.class)
                .until(() -> granted(store.acquire(shortLived(record, Acquires.LEASE, 1))), Objects::nonNull);
        assertThat(next.kind()).isEqualTo(GrantKind.RETRY);
        assertThat(next.lease().attempt()).isOne();
        assertThat(next.lease().fence()).isGreaterThan(left.fence());
    }

    @Test
    void aTakeoverThatHasNotSpreadLeavesTheOutcomeUnknown() {
        IdempotencyStore store = redis.hastilyGated();
        redis.gated().acquire(shortLived(record, Duration.ofMillis(1), 0));
        redis.replication.blackHole();

        await().untilAsserted(() -> assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(request(record))));

        redis.replication.pass();
        await().untilAsserted(() ->
                assertThat(granted(store.acquire(request(record))).kind()).isEqualTo(GrantKind.TAKEOVER));
    }

    @Test
    void aTakeoverThatWasTakenBackIsOneStillWhenTheSameRequestIsSentAgain() {
        IdempotencyStore store = redis.hastilyGated();
        redis.gated().acquire(shortLived(record, Duration.ofMillis(1), 0));
        AcquireRequest taking = request(record);
        redis.replication.blackHole();
        await().untilAsserted(() -> assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(taking)));

        assertUnavailable(Execution.NOT_EXECUTED, () -> store.acquire(taking));
        assertThat(store.inspect(record).orElseThrow().attempts()).isOne();
        redis.replication.pass();

        Claim.Granted taken = await().ignoreException(StoreUnavailableException.class)
                .until(() -> granted(store.acquire(taking)), Objects::nonNull);
        assertThat(taken.kind()).isEqualTo(GrantKind.TAKEOVER);
        assertThat(taken.lease().attempt()).isEqualTo(2);
    }

    @Test
    void aTakeoverIsTakenBackOnceHoweverOftenThatIsAsked() {
        IdempotencyStore store = redis.plain();
        store.acquire(shortLived(record, Duration.ofMillis(1), 0));
        await().until(() -> store.acquire(request(record)) instanceof Claim.Granted);
        try (RawScripts scripts = new RawScripts(redis.master.uri())) {
            byte[] granted = scripts.get(record);

            assertThat(scripts.run("withdraw", record, granted, "UNKNOWN")).isEqualTo("OK");
            byte[] withdrawn = scripts.get(record);
            assertThat(scripts.run("withdraw", record, granted, "UNKNOWN")).isEqualTo("OK");
            assertThat(scripts.get(record)).isEqualTo(withdrawn);
            assertThat(granted(store.acquire(request(record))).kind()).isEqualTo(GrantKind.TAKEOVER);
            byte[] grantedAgain = scripts.get(record);
            assertThat(scripts.run("withdraw", record, granted, "UNKNOWN")).isEqualTo("LOST");
            assertThat(scripts.get(record)).isEqualTo(grantedAgain);
        }
    }

    @Test
    void asManyCallsAsMayWaitGoInFlushesThatTheQueueHolds() {
        RedisIdempotencyStore store = redis.gatedWithQueueOf(50);
        List<AcquireRequest> oneUnderWayAndAsManyAsMayWait = IntStream.rangeClosed(0, 50)
                .mapToObj(i -> request(someRecord()))
                .toList();

        List<CompletionStage<Claim>> claims = store.acquire(oneUnderWayAndAsManyAsMayWait);

        assertThat(claims)
                .allSatisfy(claim -> assertThat(claim.toCompletableFuture())
                        .succeedsWithin(Duration.ofSeconds(30))
                        .isInstanceOf(Claim.Granted.class));
    }

    @Test
    void renewalsAndOutcomesThatHaveNotSpreadAreUnknownUntilTheyHave() {
        IdempotencyStore patient = redis.gated();
        IdempotencyStore store = redis.hastilyGated();
        Lease completed = lease(patient, record);
        Lease rejected = lease(patient, someRecord());
        await().ignoreException(StoreUnavailableException.class)
                .until(() -> store.renew(completed), StoreAnswer.Ok.class::isInstance);
        redis.replication.blackHole();

        assertUnavailable(Execution.UNKNOWN, () -> store.renew(completed));
        assertUnavailable(Execution.UNKNOWN, () -> store.complete(completed, RECEIPT));
        assertUnavailable(Execution.UNKNOWN, () -> store.complete(completed, RECEIPT));
        assertUnavailable(Execution.UNKNOWN, () -> store.reject(rejected, "no"));
        assertUnavailable(Execution.UNKNOWN, () -> store.reject(rejected, "no"));

        redis.replication.pass();
        assertThat(patient.complete(completed, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
        assertThat(patient.reject(rejected, "no")).isEqualTo(new StoreAnswer.Ok(StoredResult.NONE));
    }

    @Test
    void aFailureAndAnAnswerThatChangesNothingNeedNoConfirmation() {
        IdempotencyStore patient = redis.gated();
        IdempotencyStore store = redis.hastilyGated();
        Lease lease = lease(patient, record);
        RecordId other = someRecord();
        patient.complete(lease(patient, other), RECEIPT);
        redis.replication.blackHole();

        assertThat(store.acquire(request(record))).isInstanceOf(Claim.InProgress.class);
        assertThat(store.acquire(request(other))).isInstanceOf(Claim.Replay.class);
        assertThat(store.fail(lease, Duration.ZERO)).isInstanceOf(StoreAnswer.Ok.class);
    }

    @Test
    void aConnectionCutBeforeTheConfirmationConfirmsNothingAfterwards() {
        IdempotencyStore store = persistent(redis.hastilyGated(), Duration.ofSeconds(1));
        Lease lease = lease(redis.gated(), record);
        redis.replication.blackHole();

        var lost = redis.client.loseReplyTo("WAIT");
        assertThatThrownBy(() -> store.complete(lease, RECEIPT)).isInstanceOf(StoreUnavailableException.class);
        assertThat(lost).isCompleted();
        var lostToo = redis.client.loseReplyTo("WAIT");
        assertThatThrownBy(() -> store.acquire(request(someRecord()))).isInstanceOf(StoreUnavailableException.class);
        assertThat(lostToo).isCompleted();
    }

    @Test
    void aGateThatLostItsConnectionAnswersAgainOnANewOne() {
        IdempotencyStore store = persistent(redis.gated(), Duration.ofSeconds(20));
        lease(store, someRecord());

        var lost = redis.client.loseReplyTo("WAIT");
        Claim.Granted claim = granted(store.acquire(request(record)));

        assertThat(lost).isCompleted();
        assertThat(claim.kind()).isEqualTo(GrantKind.REENTRANT);
        assertThat(claim.lease().attempt()).isOne();
    }

    @Test
    void aScriptThatTheMasterForgotIsConfirmedToo() {
        IdempotencyStore store = redis.gated();
        Lease lease = lease(store, record);
        redis.master.command("SCRIPT", "FLUSH");

        assertThat(store.complete(lease, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
    }

    @Test
    void callersThatComeTogetherAreConfirmedTogether() {
        RedisIdempotencyStore store = redis.gated();
        List<AcquireRequest> requests = IntStream.range(0, 500)
                .mapToObj(i -> request(i % 2 == 0 ? record : someRecord()))
                .toList();

        List<CompletionStage<Claim>> claims = requests.stream()
                .map(request -> store.acquire(List.of(request)).get(0))
                .toList();

        assertThat(claims.stream()
                        .map(claim -> claim.toCompletableFuture().join())
                        .filter(Claim.Granted.class::isInstance))
                .hasSize(251);
    }

    @Test
    void aLateWithdrawalDoesNotTouchWhatWasGrantedAgain() {
        IdempotencyStore store = redis.plain();
        AcquireRequest request = request(record);
        store.acquire(request);
        try (RawScripts scripts = new RawScripts(redis.master.uri())) {
            byte[] granted = scripts.get(record);
            await().untilAsserted(() -> {
                store.acquire(request);
                assertThat(scripts.get(record)).isNotEqualTo(granted);
            });
            byte[] grantedAgain = scripts.get(record);

            assertThat(scripts.run("withdraw", record, granted, "KNOWN")).isEqualTo("LOST");
            assertThat(scripts.get(record)).isEqualTo(grantedAgain);
            assertThat(scripts.run("withdraw", record, grantedAgain, "KNOWN")).isEqualTo("OK");
            byte[] withdrawn = scripts.get(record);
            assertThat(scripts.run("withdraw", record, grantedAgain, "KNOWN")).isEqualTo("OK");
            assertThat(scripts.get(record)).isEqualTo(withdrawn);
        }
    }

    @Test
    void confirmationByDisksIsRefusedWhereTheServerCannotGiveIt() {
        try (RedisIdempotencyStore store = redis.gated(new ReplicationSettings(1, true, 0, Duration.ofMillis(200)))) {
            assertThatThrownBy(store::checkServer)
                    .isInstanceOf(UnsuitableRedisException.class)
                    .hasMessageContaining("idem.redis.replication.durability=memory");
        }
    }
}
