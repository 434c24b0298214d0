package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Admission;
import io.idem.AsyncSettling;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FormerRecordsTest {

    private static final Scope BEFORE = new Scope("payments");
    private static final Scope NOW = new Scope("payments-eu");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final StoredResult RECEIPT = StoredResult.of("json", new byte[] {1});

    private final AtomicLong seconds = new AtomicLong(1_800_000_000);
    private final InstantSource clock = () -> Instant.ofEpochSecond(seconds.get());
    private final IdempotencyStore store = new InMemoryIdempotencyStore(clock);
    private final IdempotencyStore renamed = new FormerRecords(store, Map.of(NOW, BEFORE));
    private final IdempotencyKey key = IdempotencyKey.of("k");

    private AcquireRequest request(Scope scope) {
        return request(scope, Fingerprint.NONE);
    }

    private AcquireRequest request(Scope scope, Fingerprint fingerprint) {
        return new AcquireRequest(
                new RecordId(key, scope),
                OwnerToken.random(new SecureRandom()),
                LEASE,
                Duration.ofHours(24),
                fingerprint,
                0,
                0);
    }

    private Lease before() {
        return ((Claim.Granted) store.acquire(request(BEFORE))).lease();
    }

    private Claim.Granted grantedNow() {
        Claim claim = renamed.acquire(request(NOW));
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return (Claim.Granted) claim;
    }

    @Test
    void workFinishedUnderTheFormerNameIsNotRunAgain() {
        Lease lease = before();
        store.complete(lease, RECEIPT);

        assertThat(renamed.acquire(request(NOW))).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
    }

    @Test
    void workRejectedUnderTheFormerNameStaysRejected() {
        Lease lease = before();
        store.reject(lease, "no");

        assertThat(renamed.acquire(request(NOW))).isEqualTo(new Claim.Rejected("no", lease.fence()));
    }

    @Test
    void workThatStillRunsUnderTheFormerNameIsWaitedFor() {
        before();

        assertThat(renamed.acquire(request(NOW))).isEqualTo(new Claim.InProgress(LEASE));
    }

    @Test
    void anOwnerThatDiedUnderTheFormerNameIsTakenOverWithAHigherFence() {
        Lease dead = before();
        seconds.addAndGet(LEASE.toSeconds() + 6);

        Claim.Granted granted = grantedNow();

        assertThat(granted.kind()).isEqualTo(GrantKind.TAKEOVER);
        assertThat(granted.lease().fence()).isGreaterThan(dead.fence());
        assertThat(granted.lease().record().scope()).isEqualTo(NOW);
    }

    @Test
    void aRepeatedAcquireIsToldToo() {
        before();
        seconds.addAndGet(LEASE.toSeconds() + 6);
        AcquireRequest unheard = request(NOW);
        renamed.acquire(unheard);

        Claim again = renamed.acquire(unheard);

        assertThat(again)
                .isInstanceOfSatisfying(
                        Claim.Granted.class,
                        granted -> assertThat(granted.isTakeover()).isTrue());
    }

    @Test
    void aFailureUnderTheFormerNameIsRetriedAfterItsDelay() {
        store.fail(before(), Duration.ofSeconds(10));

        assertThat(renamed.acquire(request(NOW))).isEqualTo(new Claim.NotYet(Duration.ofSeconds(10)));
        seconds.addAndGet(10);
        assertThat(grantedNow().kind()).isEqualTo(GrantKind.RETRY);
    }

    @Test
    void anotherPayloadUnderTheFormerNameIsAMismatch() {
        Fingerprint hundred = Fingerprint.of("100".getBytes(StandardCharsets.UTF_8));
        Fingerprint thousand = Fingerprint.of("1000".getBytes(StandardCharsets.UTF_8));
        store.acquire(request(BEFORE, hundred));

        assertThat(renamed.acquire(request(NOW, thousand))).isEqualTo(new Claim.Mismatch());
    }

    @Test
    void newWorkAndOtherScopesAreAsEver() {
        assertThat(grantedNow().kind()).isEqualTo(GrantKind.FRESH);
        assertThat(renamed.acquire(request(NOW))).isInstanceOf(Claim.InProgress.class);
        assertThat(renamed.acquire(request(new Scope("receipts")))).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aBatchLooksUnderFormerNamesAndKeepsItsOrder() {
        Lease finished = before();
        store.complete(finished, RECEIPT);

        List<Claim> claims =
                renamed
                        .acquire(List.of(request(new Scope("mail")), request(NOW), request(new Scope("ledger"))))
                        .stream()
                        .map(claim -> claim.toCompletableFuture().join())
                        .toList();

        assertThat(claims.get(0)).isInstanceOf(Claim.Granted.class);
        assertThat(claims.get(1)).isEqualTo(new Claim.Replay(RECEIPT, finished.fence()));
        assertThat(((Claim.Granted) claims.get(2)).lease().record().scope()).isEqualTo(new Scope("ledger"));
    }

    /** A key of which the versions before read another text. */
    private static final IdempotencyKey DECODED = IdempotencyKey.of("k").formerly(IdempotencyKey.of("\"k\""));

    private final IdempotencyStore upgraded = new FormerRecords(store, Map.of());

    private AcquireRequest request(IdempotencyKey of) {
        return new AcquireRequest(
                new RecordId(of, NOW),
                OwnerToken.random(new SecureRandom()),
                LEASE,
                Duration.ofHours(24),
                Fingerprint.NONE,
                0,
                0);
    }

    private static Lease lease(Claim claim) {
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return ((Claim.Granted) claim).lease();
    }

    private RecordState state(IdempotencyKey of) {
        return store.inspect(new RecordId(of, NOW)).map(RecordSnapshot::state).orElse(RecordState.ABSENT);
    }

    @Test
    void anEarlierVersionSeesWorkUnderWayAndItsEnd() {
        Lease lease = lease(upgraded.acquire(request(DECODED)));

        assertThat(store.acquire(request(DECODED.former()))).isInstanceOf(Claim.InProgress.class);
        seconds.addAndGet(LEASE.toSeconds() - 1);
        assertThat(upgraded.renew(lease)).isInstanceOf(StoreAnswer.Ok.class);
        seconds.addAndGet(2);
        assertThat(store.acquire(request(DECODED.former()))).isInstanceOf(Claim.InProgress.class);
        upgraded.complete(lease, RECEIPT);

        assertThat(store.acquire(request(DECODED.former())))
                .isInstanceOfSatisfying(
                        Claim.Replay.class, done -> assertThat(done.result()).isEqualTo(RECEIPT));
        assertThat(upgraded.acquire(request(DECODED))).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void workThatAnEarlierVersionFinishedIsDoneUnderBothKeys() {
        store.complete(lease(store.acquire(request(DECODED.former()))), RECEIPT);

        assertThat(upgraded.acquire(request(DECODED))).isInstanceOf(Claim.Replay.class);

        assertThat(store.acquire(request(IdempotencyKey.of("k")))).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void anOwnerOfAnEarlierVersionThatDiedIsTakenOver() {
        store.acquire(request(DECODED.former()));
        seconds.addAndGet(LEASE.toSeconds());

        Claim claim = upgraded.acquire(request(DECODED));

        assertThat(claim)
                .isInstanceOfSatisfying(
                        Claim.Granted.class,
                        granted -> assertThat(granted.isTakeover()).isTrue());
        assertThat(lease(claim).attempt()).isEqualTo(2);
    }

    @Test
    void whatIsUnderWayUnderThePresentKeyLeavesTheFormerOneFree() {
        store.acquire(request(IdempotencyKey.of("k")));

        assertThat(upgraded.acquire(request(DECODED))).isInstanceOf(Claim.InProgress.class);

        assertThat(state(DECODED.former())).isEqualTo(RecordState.FAILED);
    }

    @Test
    void anUnknownOutcomeIsNotForgottenBesideWorkUnderThePresentKey() {
        store.acquire(request(DECODED.former()));
        seconds.addAndGet(LEASE.toSeconds());
        Lease present = lease(store.acquire(request(IdempotencyKey.of("k"))));

        assertThat(upgraded.acquire(request(DECODED))).isInstanceOf(Claim.InProgress.class);

        store.fail(present, Duration.ZERO);
        seconds.addAndGet(LEASE.toSeconds());
        assertThat(upgraded.acquire(request(DECODED)))
                .isInstanceOfSatisfying(
                        Claim.Granted.class,
                        granted -> assertThat(granted.isTakeover()).isTrue());
    }

    @Test
    void whatIsDoneUnderThePresentKeyIsDoneForEarlierVersionsToo() {
        store.complete(lease(store.acquire(request(IdempotencyKey.of("k")))), RECEIPT);

        assertThat(upgraded.acquire(request(DECODED))).isInstanceOf(Claim.Replay.class);

        assertThat(store.acquire(request(DECODED.former()))).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void aFailureFreesBothAndARejectionIsKnownUnderThePresentKeyAlone() {
        upgraded.fail(lease(upgraded.acquire(request(DECODED))), Duration.ZERO);
        assertThat(state(DECODED.former())).isEqualTo(RecordState.FAILED);

        upgraded.reject(lease(upgraded.acquire(request(DECODED))), "no");

        assertThat(state(DECODED)).isEqualTo(RecordState.REJECTED);
        assertThat(state(DECODED.former())).isEqualTo(RecordState.FAILED);
        assertThat(upgraded.acquire(request(DECODED))).isInstanceOf(Claim.Rejected.class);
    }

    @Test
    void whatAnEarlierVersionFinishesAfterAnAttemptThatDoesNotCountIsDone() {
        upgraded.update(new RecordUpdate.Fail(lease(upgraded.acquire(request(DECODED))), Duration.ZERO, false));
        Lease earlier = lease(store.acquire(request(DECODED.former())));
        assertThat(earlier.attempt()).isOne();
        store.complete(earlier, RECEIPT);

        assertThat(upgraded.acquire(request(DECODED))).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void finishedWorkThatAPersonReopensRunsAgain() {
        Lease lease = lease(upgraded.acquire(request(DECODED)));
        upgraded.complete(lease, RECEIPT);
        store.reopen(new RecordId(DECODED, NOW), lease.fence(), Duration.ofHours(24));

        Lease again = lease(upgraded.acquire(request(DECODED)));

        assertThat(upgraded.complete(again, RECEIPT)).isInstanceOf(StoreAnswer.Ok.class);
    }

    @Test
    void anOwnerThatAnEarlierVersionTookOverIsTold() {
        Lease lease = lease(upgraded.acquire(request(DECODED)));
        seconds.addAndGet(LEASE.toSeconds());
        store.acquire(request(DECODED.former()));

        assertThat(upgraded.renew(lease)).isInstanceOf(StoreAnswer.Lost.class);
    }

    @Test
    void aBatchEndsTheRecordsUnderBothKeysAndAllOthers() {
        List<Operation> operations = Stream.of(IdempotencyKey.of("plain"), DECODED)
                .map(of -> Operation.of(of, NOW, ExecutionPolicy.of(LEASE, Duration.ofHours(24))))
                .toList();
        try (IdempotentExecutor executor = IdempotentExecutor.on(store).build()) {
            OperationBatch batch = executor.async(Runnable::run).batch();
            List<AsyncSettling<String>> settlings = batch.<String>beginAll(operations).stream()
                    .map(admission -> (Admission.Granted<String>)
                            admission.toCompletableFuture().join())
                    .map(granted ->
                            new AsyncSettling<String>(granted.operation(), new WorkResult.Complete<>("paid", RECEIPT)))
                    .toList();

            assertThat(batch.settleAll(settlings))
                    .allSatisfy(outcome ->
                            assertThat(outcome.toCompletableFuture().join()).isInstanceOf(Outcome.Executed.class));
        }

        assertThat(Stream.of(DECODED, DECODED.former(), IdempotencyKey.of("plain")))
                .extracting(this::state)
                .containsOnly(RecordState.COMPLETED);
    }

    @Test
    void copiesOfAKeyAreEqualWhateverEarlierVersionsRead() {
        assertThat(DECODED).isEqualTo(IdempotencyKey.of("k")).hasSameHashCodeAs(IdempotencyKey.of("k"));
        assertThat(DECODED.formerly(IdempotencyKey.of("k")).former()).isEqualTo(DECODED.former());
        assertThat(IdempotencyKey.of("k").former()).isEqualTo(IdempotencyKey.of("k"));
    }
}
