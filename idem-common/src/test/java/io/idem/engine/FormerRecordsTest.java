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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FormerRecordsTest {

    private static final Scope SCOPE = new Scope("payments");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final StoredResult RECEIPT = StoredResult.of("json", new byte[] {1});

    /** A key of which the versions before read another text. */
    private static final IdempotencyKey DECODED = IdempotencyKey.of("k").formerly(IdempotencyKey.of("\"k\""));

    private final AtomicLong seconds = new AtomicLong(1_800_000_000);
    private final InstantSource clock = () -> Instant.ofEpochSecond(seconds.get());
    private final IdempotencyStore store = new InMemoryIdempotencyStore(clock);
    private final IdempotencyStore upgraded = new FormerRecords(store);

    private static AcquireRequest request(IdempotencyKey key) {
        return request(key, Fingerprint.NONE);
    }

    private static AcquireRequest request(IdempotencyKey key, Fingerprint fingerprint) {
        return new AcquireRequest(
                new RecordId(key, SCOPE),
                OwnerToken.random(new SecureRandom()),
                LEASE,
                Duration.ofHours(24),
                fingerprint,
                0,
                0);
    }

    /** Returns the lease of an instance of an earlier version. */
    private Lease before() {
        return lease(store.acquire(request(DECODED.former())));
    }

    private Claim.Granted grantedNow() {
        Claim claim = upgraded.acquire(request(DECODED));
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return (Claim.Granted) claim;
    }

    private static Lease lease(Claim claim) {
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return ((Claim.Granted) claim).lease();
    }

    private RecordState state(IdempotencyKey of) {
        return store.inspect(new RecordId(of, SCOPE)).map(RecordSnapshot::state).orElse(RecordState.ABSENT);
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
        Lease finished = before();
        store.complete(finished, RECEIPT);

        assertThat(upgraded.acquire(request(DECODED))).isEqualTo(new Claim.Replay(RECEIPT, finished.fence()));

        assertThat(store.acquire(request(IdempotencyKey.of("k")))).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void workThatAnEarlierVersionRejectedStaysRejected() {
        Lease rejected = before();
        store.reject(rejected, "no");

        assertThat(upgraded.acquire(request(DECODED))).isEqualTo(new Claim.Rejected("no", rejected.fence()));
    }

    @Test
    void workThatStillRunsAtAnEarlierVersionIsWaitedFor() {
        before();

        assertThat(upgraded.acquire(request(DECODED))).isEqualTo(new Claim.InProgress(LEASE));
    }

    @Test
    void anOwnerOfAnEarlierVersionThatDiedIsTakenOverWithAHigherFence() {
        Lease dead = before();
        seconds.addAndGet(LEASE.toSeconds());

        Claim.Granted granted = grantedNow();

        assertThat(granted.kind()).isEqualTo(GrantKind.TAKEOVER);
        assertThat(granted.lease().fence()).isGreaterThan(dead.fence());
        assertThat(granted.lease().attempt()).isEqualTo(2);
        assertThat(granted.lease().record().key().value()).isEqualTo("k");
    }

    @Test
    void aRepeatedAcquireIsToldOfATakeoverToo() {
        before();
        seconds.addAndGet(LEASE.toSeconds());
        AcquireRequest unheard = request(DECODED);
        upgraded.acquire(unheard);

        Claim again = upgraded.acquire(unheard);

        assertThat(again)
                .isInstanceOfSatisfying(
                        Claim.Granted.class,
                        granted -> assertThat(granted.isTakeover()).isTrue());
    }

    @Test
    void aFailureAtAnEarlierVersionIsRetriedAfterItsDelay() {
        store.fail(before(), Duration.ofSeconds(10));

        assertThat(upgraded.acquire(request(DECODED))).isEqualTo(new Claim.NotYet(Duration.ofSeconds(10)));
        seconds.addAndGet(10);
        assertThat(grantedNow().kind()).isEqualTo(GrantKind.RETRY);
    }

    @Test
    void anotherPayloadUnderTheFormerKeyIsAMismatch() {
        Fingerprint hundred = Fingerprint.of("100".getBytes(StandardCharsets.UTF_8));
        Fingerprint thousand = Fingerprint.of("1000".getBytes(StandardCharsets.UTF_8));
        store.acquire(request(DECODED.former(), hundred));

        assertThat(upgraded.acquire(request(DECODED, thousand))).isEqualTo(new Claim.Mismatch());
    }

    @Test
    void newWorkAndOtherKeysAreAsEver() {
        assertThat(grantedNow().kind()).isEqualTo(GrantKind.FRESH);
        assertThat(upgraded.acquire(request(DECODED))).isInstanceOf(Claim.InProgress.class);
        assertThat(upgraded.acquire(request(IdempotencyKey.of("plain")))).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aBatchLooksUnderFormerKeysAndKeepsItsOrder() {
        Lease finished = before();
        store.complete(finished, RECEIPT);

        List<Claim> claims = upgraded
                .acquire(List.of(
                        request(IdempotencyKey.of("first")), request(DECODED), request(IdempotencyKey.of("last"))))
                .stream()
                .map(claim -> claim.toCompletableFuture().join())
                .toList();

        assertThat(claims.get(0)).isInstanceOf(Claim.Granted.class);
        assertThat(claims.get(1)).isEqualTo(new Claim.Replay(RECEIPT, finished.fence()));
        assertThat(lease(claims.get(2)).record().key()).isEqualTo(IdempotencyKey.of("last"));
    }

    @Test
    void whatIsUnderWayUnderThePresentKeyLeavesTheFormerOneFree() {
        store.acquire(request(IdempotencyKey.of("k")));

        assertThat(upgraded.acquire(request(DECODED))).isInstanceOf(Claim.InProgress.class);

        assertThat(state(DECODED.former())).isEqualTo(RecordState.FAILED);
    }

    @Test
    void anUnknownOutcomeIsNotForgottenBesideWorkUnderThePresentKey() {
        before();
        seconds.addAndGet(LEASE.toSeconds());
        Lease present = lease(store.acquire(request(IdempotencyKey.of("k"))));

        assertThat(upgraded.acquire(request(DECODED))).isInstanceOf(Claim.InProgress.class);

        store.fail(present, Duration.ZERO);
        assertThat(upgraded.acquire(request(DECODED)))
                .isInstanceOfSatisfying(
                        Claim.Granted.class,
                        granted -> assertThat(granted.isTakeover()).isTrue());
    }

    @Test
    void anUnknownOutcomeUnderThePresentKeyOutlivesAnUncountedAttempt() {
        upgraded.acquire(request(DECODED));
        seconds.addAndGet(LEASE.toSeconds());
        store.fail(before(), Duration.ZERO);

        upgraded.update(new RecordUpdate.Fail(lease(upgraded.acquire(request(DECODED))), Duration.ZERO, false));

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
        Lease earlier = before();
        assertThat(earlier.attempt()).isOne();
        store.complete(earlier, RECEIPT);

        assertThat(upgraded.acquire(request(DECODED))).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void finishedWorkThatAPersonReopensRunsAgain() {
        Lease lease = lease(upgraded.acquire(request(DECODED)));
        upgraded.complete(lease, RECEIPT);
        store.reopen(new RecordId(DECODED, SCOPE), lease.fence(), Duration.ofHours(24));

        Lease again = lease(upgraded.acquire(request(DECODED)));

        assertThat(upgraded.complete(again, RECEIPT)).isInstanceOf(StoreAnswer.Ok.class);
    }

    @Test
    void anOwnerThatAnEarlierVersionTookOverIsTold() {
        Lease lease = lease(upgraded.acquire(request(DECODED)));
        seconds.addAndGet(LEASE.toSeconds());
        before();

        assertThat(upgraded.renew(lease)).isInstanceOf(StoreAnswer.Lost.class);
    }

    @Test
    void aBatchEndsTheRecordsUnderBothKeysAndAllOthers() {
        List<Operation> operations = Stream.of(IdempotencyKey.of("plain"), DECODED)
                .map(of -> Operation.of(of, SCOPE, ExecutionPolicy.of(LEASE, Duration.ofHours(24))))
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
