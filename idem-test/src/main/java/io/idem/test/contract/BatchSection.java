package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of batches: a call with many records has the effect of one call for each, in their order. */
abstract class BatchSection extends StoreSection {

    private static final int MANY = 1000;

    private static RecordId other() {
        return new RecordId(IdempotencyKey.of(UUID.randomUUID().toString()), new Scope("payments"));
    }

    private List<Claim> acquireAll(List<AcquireRequest> requests) {
        return answers(store().acquire(requests));
    }

    private List<StoreAnswer> settleAll(List<RecordUpdate> requests) {
        return answers(store().update(requests));
    }

    private static <T> List<T> answers(List<CompletionStage<T>> stages) {
        return stages.stream().map(stage -> stage.toCompletableFuture().join()).toList();
    }

    private Lease leaseOf(RecordId id) {
        return granted(Request.of(id)).lease();
    }

    private static Lease leaseIn(Claim claim) {
        return granted(claim).lease();
    }

    @Test
    void noRequestsGetNoAnswers() {
        assertThat(store().acquire(List.of())).isEmpty();
        assertThat(store().update(List.of())).isEmpty();
    }

    @Test
    void oneRequestMayBeAskedForByItself() {
        Lease lease = leaseIn(acquireAll(List.of(Request.of(record).build())).get(0));

        assertThat(settleAll(List.of(new RecordUpdate.Complete(lease, RECEIPT))))
                .containsExactly(new StoreAnswer.Ok(RECEIPT));
        assertThat(acquire(Request.of(record))).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
    }

    @Test
    void eachRequestGetsItsOwnAnswerAtItsOwnPlace() {
        Lease completed = leaseOf(other());
        store().complete(completed, RECEIPT);
        Lease rejected = leaseOf(other());
        store().reject(rejected, "no");
        RecordId failed = other();
        store().fail(leaseOf(failed), Duration.ofMinutes(20));
        RecordId pending = other();
        granted(Request.of(pending).fingerprinted(HUNDRED));

        List<Claim> claims = acquireAll(List.of(
                Request.of(completed.record()).build(),
                Request.of(record).build(),
                Request.of(rejected.record()).build(),
                Request.of(failed).build(),
                Request.of(pending).fingerprinted(THOUSAND).build(),
                Request.of(pending).build()));

        assertThat(claims.get(0)).isEqualTo(new Claim.Replay(RECEIPT, completed.fence()));
        assertThat(leaseIn(claims.get(1)).record()).isEqualTo(record);
        assertThat(claims.get(2)).isEqualTo(new Claim.Rejected("no", rejected.fence()));
        assertThat(claims.get(3)).isInstanceOf(Claim.NotYet.class);
        assertThat(claims.get(4)).isEqualTo(new Claim.Mismatch());
        assertThat(claims.get(5)).isInstanceOf(Claim.InProgress.class);
    }

    @Test
    void everyRequestKeepsItsOwnArguments() {
        RecordId longer = other();
        List<Claim> claims = acquireAll(List.of(
                Request.of(record).fingerprinted(HUNDRED).above(1L << 52).build(),
                Request.of(longer).leasedFor(LEASE.multipliedBy(2)).build()));

        advance(LEASE);

        assertThat(leaseIn(claims.get(0)).fence()).isGreaterThan(1L << 52);
        assertThat(snapshot().fingerprint()).isEqualTo(HUNDRED);
        assertThat(acquire(Request.of(longer))).isInstanceOf(Claim.InProgress.class);
        assertThat(granted(Request.of(record)).kind()).isEqualTo(GrantKind.TAKEOVER);
    }

    @Test
    void oneRecordThatIsAskedForTwiceIsGrantedToTheFirst() {
        List<Claim> claims = acquireAll(List.of(
                Request.of(record).build(),
                Request.of(other()).build(),
                Request.of(record).build()));

        assertThat(claims).hasExactlyElementsOfTypes(Claim.Granted.class, Claim.Granted.class, Claim.InProgress.class);
    }

    @Test
    void oneOwnerThatAsksTwiceInOneCallHasOneGrant() {
        AcquireRequest request = Request.of(record).build();

        List<Claim> claims = acquireAll(List.of(request, request));

        assertThat(claims.get(1)).isEqualTo(new Claim.Granted(leaseIn(claims.get(0)), GrantKind.REENTRANT));
        assertThat(snapshot().attempts()).isOne();
    }

    @Test
    void settlesOfAllKindsMayTravelTogether() {
        Lease completed = lease();
        Lease failed = leaseOf(other());
        Lease rejected = leaseOf(other());
        Lease renewed = leaseOf(other());
        advance(LEASE.minusMinutes(2));

        List<StoreAnswer> settlements = settleAll(List.of(
                new RecordUpdate.Renew(renewed),
                new RecordUpdate.Complete(completed, RECEIPT),
                new RecordUpdate.Fail(failed, Duration.ZERO),
                new RecordUpdate.Complete(withOwner(renewed, stranger()), OTHER_RECEIPT),
                new RecordUpdate.Reject(rejected, "no")));

        assertThat(settlements)
                .containsExactly(ok(), new StoreAnswer.Ok(RECEIPT), ok(), lost(RecordState.PENDING), ok());
        assertThat(Stream.of(renewed, completed, failed, rejected)
                        .map(lease ->
                                store().inspect(lease.record()).orElseThrow().state()))
                .containsExactly(RecordState.PENDING, RecordState.COMPLETED, RecordState.FAILED, RecordState.REJECTED);
        advance(LEASE.minusMinutes(2));
        assertThat(acquire(Request.of(renewed.record()))).isInstanceOf(Claim.InProgress.class);
    }

    @Test
    void settlesOfOneRecordTakeEffectInTheirOrder() {
        Lease lease = lease();

        assertThat(settleAll(List.of(
                        new RecordUpdate.Renew(lease),
                        new RecordUpdate.Complete(lease, RECEIPT),
                        new RecordUpdate.Fail(lease, Duration.ZERO),
                        new RecordUpdate.Renew(lease),
                        new RecordUpdate.Complete(lease, OTHER_RECEIPT))))
                .containsExactly(
                        ok(),
                        new StoreAnswer.Ok(RECEIPT),
                        lost(RecordState.COMPLETED, RECEIPT),
                        new StoreAnswer.AlreadySettled(RecordState.COMPLETED),
                        new StoreAnswer.Ok(RECEIPT));
    }

    @Test
    void aThousandRecordsGoInOneCall() {
        List<AcquireRequest> requests = IntStream.range(0, MANY)
                .mapToObj(i -> Request.of(other()).build())
                .toList();

        List<Lease> leases =
                acquireAll(requests).stream().map(BatchSection::leaseIn).toList();
        List<StoreAnswer> settlements = settleAll(leases.stream()
                .<RecordUpdate>map(lease -> new RecordUpdate.Complete(lease, resultOf(lease.record())))
                .toList());

        assertThat(leases.stream().map(Lease::record))
                .isEqualTo(requests.stream().map(AcquireRequest::record).toList());
        assertThat(settlements)
                .isEqualTo(leases.stream()
                        .map(lease -> new StoreAnswer.Ok(resultOf(lease.record())))
                        .toList());
        assertThat(acquireAll(requests))
                .isEqualTo(leases.stream()
                        .map(lease -> new Claim.Replay(resultOf(lease.record()), lease.fence()))
                        .toList());
    }

    private static StoredResult resultOf(RecordId id) {
        return StoredResult.of("text", id.key().value().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void aBatchThatIsSentTwiceHasTheEffectOfOne() {
        List<AcquireRequest> requests =
                Stream.of(record, other()).map(id -> Request.of(id).build()).toList();
        List<Lease> leases =
                acquireAll(requests).stream().map(BatchSection::leaseIn).toList();

        assertThat(acquireAll(requests))
                .isEqualTo(leases.stream()
                        .map(lease -> new Claim.Granted(lease, GrantKind.REENTRANT))
                        .toList());

        List<RecordUpdate> settles = List.of(
                new RecordUpdate.Complete(leases.get(0), RECEIPT),
                new RecordUpdate.Fail(leases.get(1), Duration.ofMinutes(20)));
        List<StoreAnswer> first = settleAll(settles);
        assertChangesNothing(first, () -> leavingUntouched(leases.get(1).record(), () -> settleAll(settles)));
    }
}
