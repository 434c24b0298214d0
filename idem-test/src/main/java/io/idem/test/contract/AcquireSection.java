package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.test.TestIdempotency;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of ACQUIRE, which grants the right to work. */
abstract class AcquireSection extends StoreSection {

    private static final int THREADS = 64;

    @Test
    void theFirstAcquireIsGrantedFresh() {
        Request request = Request.of(record).fingerprinted(HUNDRED);

        Claim.Granted granted = granted(request);

        assertThat(granted.kind()).isEqualTo(GrantKind.FRESH);
        assertThat(granted.lease())
                .isEqualTo(new Lease(record, request.owner(), granted.lease().fence(), 1, LEASE, RETENTION));
        assertThat(granted.lease().fence()).isPositive();
    }

    @Test
    void anotherOwnerIsToldHowLongTheLeaseGoesOn() {
        lease();
        advance(Duration.ofMinutes(2));

        Claim claim = leavingUntouched(() -> acquire(Request.of(record)));

        assertThat(claim).isInstanceOf(Claim.InProgress.class);
        assertAbout(((Claim.InProgress) claim).remaining(), LEASE.minusMinutes(2));
    }

    @Test
    void theSameOwnerIsGrantedItsFirstGrantAgain() {
        Request request = Request.of(record);
        Lease first = granted(request).lease();

        assertThat(granted(request)).isEqualTo(new Claim.Granted(first, GrantKind.REENTRANT));
    }

    @Test
    void aRepeatedAcquireExtendsTheLeaseAndNeverShortensIt() {
        Request request = Request.of(record);
        granted(request);
        advance(LEASE.minusMinutes(2));

        granted(request);
        granted(request.leasedFor(Duration.ofMinutes(1)));
        advance(LEASE.minusMinutes(2));

        assertThat(acquire(Request.of(record))).isInstanceOf(Claim.InProgress.class);
    }

    @Test
    void theSameOwnerIsGrantedItsLapsedLeaseAgainIfNobodyTookIt() {
        Request request = Request.of(record);
        Lease first = granted(request).lease();
        advance(LEASE.multipliedBy(2));

        assertThat(granted(request)).isEqualTo(new Claim.Granted(first, GrantKind.REENTRANT));
    }

    @Test
    void aLapsedLeaseIsTakenOverWithAGreaterFence() {
        Lease first = lapsed();

        assertGranted(Request.of(record), GrantKind.TAKEOVER, 2, first.fence());
    }

    @Test
    void aFailedRecordIsGrantedForARetryWithAGreaterFence() {
        Lease first = failed(Duration.ZERO);

        assertGranted(Request.of(record), GrantKind.RETRY, 2, first.fence());
    }

    @Test
    void aFailedRecordIsNotGrantedBeforeItsDelay() {
        store().fail(lease(), Duration.ofMinutes(20));
        advance(Duration.ofMinutes(5));

        Claim claim = leavingUntouched(() -> acquire(Request.of(record)));

        assertThat(claim).isInstanceOf(Claim.NotYet.class);
        assertAbout(((Claim.NotYet) claim).delay(), Duration.ofMinutes(15));
        advance(Duration.ofMinutes(15));
        assertThat(granted(Request.of(record)).kind()).isEqualTo(GrantKind.RETRY);
    }

    @Test
    void completedWorkIsReplayed() {
        Lease lease = completed();

        assertChangesNothing(new Claim.Replay(RECEIPT, lease.fence()), () -> acquire(Request.of(record)));
    }

    @Test
    void rejectedWorkStaysRejected() {
        Lease lease = rejected("card stolen, ça suffit");

        assertChangesNothing(
                new Claim.Rejected("card stolen, ça suffit", lease.fence()), () -> acquire(Request.of(record)));
    }

    @Test
    void anotherPayloadUnderTheSameKeyIsAMismatchInEveryState() {
        Lease pending = granted(Request.of(record).fingerprinted(HUNDRED)).lease();
        assertMismatch();
        store().fail(pending, Duration.ofMinutes(20));
        assertMismatch();
        advance(Duration.ofMinutes(20));
        assertMismatch();
        Lease second = completed();
        assertMismatch();
        store().reopen(record, second.fence(), RETENTION);
        assertMismatch();
        store().reject(lease(), "no");
        assertMismatch();
    }

    private void assertMismatch() {
        assertChangesNothing(
                new Claim.Mismatch(), () -> acquire(Request.of(record).fingerprinted(THOUSAND)));
    }

    @Test
    void theOwnerItselfIsRefusedWithAnotherPayload() {
        Request request = Request.of(record).fingerprinted(HUNDRED);
        granted(request);

        assertThat(acquire(request.fingerprinted(THOUSAND))).isEqualTo(new Claim.Mismatch());
    }

    @Test
    void aFingerprintThatIsNotGivenMatchesAnyAndForgetsNone() {
        store().fail(granted(Request.of(record).fingerprinted(HUNDRED)).lease(), Duration.ZERO);

        store().fail(granted(Request.of(record)).lease(), Duration.ZERO);

        assertThat(snapshot().fingerprint()).isEqualTo(HUNDRED);
    }

    @Test
    void aFingerprintThatIsGivenLaterIsRemembered() {
        store().fail(lease(), Duration.ZERO);
        assertThat(snapshot().fingerprint()).isEqualTo(Fingerprint.NONE);

        granted(Request.of(record).fingerprinted(HUNDRED));

        assertThat(snapshot().fingerprint()).isEqualTo(HUNDRED);
    }

    @Test
    void allowedGrantsAreUsedUpByFailuresAndTakeoversAlike() {
        store().fail(granted(Request.of(record).limitedTo(2)).lease(), Duration.ZERO);
        Lease second = granted(Request.of(record).limitedTo(2)).lease();
        assertThat(acquire(Request.of(record).limitedTo(2))).isInstanceOf(Claim.InProgress.class);
        advance(LEASE);

        assertChangesNothing(
                new Claim.Exhausted(2, second.fence()),
                () -> acquire(Request.of(record).limitedTo(2)));
        assertThat(granted(Request.of(record).limitedTo(3)).lease().attempt()).isEqualTo(3);
    }

    @Test
    void theLastAllowedOwnerMayAskAgain() {
        Request request = Request.of(record).limitedTo(1);
        granted(request);

        assertThat(granted(request).kind()).isEqualTo(GrantKind.REENTRANT);
    }

    @Test
    void finishedWorkIsAnsweredEvenIfAllGrantsAreUsedUp() {
        Lease lease = granted(Request.of(record).limitedTo(1)).lease();
        store().complete(lease, RECEIPT);

        assertThat(acquire(Request.of(record).limitedTo(1))).isEqualTo(new Claim.Replay(RECEIPT, lease.fence()));
    }

    @Test
    void aFenceIsGreaterThanTheFloor() {
        long floor = 1L << 52;
        long higher = floor + 1_000_000;

        long first = granted(Request.of(record).above(floor)).lease().fence();
        long second = takeover().fence();
        advance(LEASE);
        long third = granted(Request.of(record).above(higher)).lease().fence();

        assertThat(first).isGreaterThan(floor);
        assertThat(second).isGreaterThan(first);
        assertThat(third).isGreaterThan(higher);
    }

    @Test
    void fencesGrowEvenIfTheRecordWasForgottenInBetween() {
        long first = lease().fence();
        advance(RETENTION);
        assertThat(store().inspect(record)).isEmpty();

        assertGranted(Request.of(record), GrantKind.FRESH, 1, first);
    }

    @Test
    void aRecordOutlivesItsLeaseByItsRetention() {
        granted(Request.of(record).fingerprinted(HUNDRED));
        advance(RETENTION.minus(SLACK));

        assertMismatch();
        assertThat(granted(Request.of(record)).lease().attempt()).isEqualTo(2);
    }

    @Test
    void aLeaseLongerThanTheRetentionKeepsTheRecord() {
        granted(Request.of(record).leasedFor(Duration.ofHours(2)).retainedFor(Duration.ofMinutes(1)));
        advance(Duration.ofHours(1));

        assertThat(acquire(Request.of(record))).isInstanceOf(Claim.InProgress.class);
    }

    @Test
    void aRepeatedAcquireDoesNotShortenTheLifeOfTheRecordBelowItsLease() {
        Request request = Request.of(record).leasedFor(Duration.ofHours(2)).retainedFor(Duration.ofHours(2));
        granted(request);
        granted(request.leasedFor(Duration.ofMinutes(1)).retainedFor(Duration.ofMinutes(1)));
        advance(Duration.ofHours(1));

        assertThat(acquire(Request.of(record))).isInstanceOf(Claim.InProgress.class);
    }

    @Test
    void scopesKeysAndTenantsDoNotTouchEachOther() {
        Lease lease = lease();
        String key = record.key().value();
        List<RecordId> others = List.of(
                new RecordId(record.key(), new Scope("receipts")),
                new RecordId(new IdempotencyKey("other", key), record.scope()),
                new RecordId(IdempotencyKey.of(key + "x"), record.scope()));

        for (RecordId other : others) {
            Lease theirs = leavingUntouched(() -> granted(Request.of(other)).lease());
            leavingUntouched(other, () -> store().renew(lease));
            leavingUntouched(() -> store().complete(theirs, OTHER_RECEIPT));
        }
        others.forEach(other -> leavingUntouched(other, () -> store().complete(lease, RECEIPT)));
        assertThat(snapshot().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void ofManyWhoAskAtOnceOneIsGranted() {
        List<Claim> answers = new TestIdempotency()
                .rehearse(() -> acquire(Request.of(record)))
                .concurrently(THREADS);

        assertThat(answers).filteredOn(Claim.Granted.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(Claim.InProgress.class::isInstance).hasSize(THREADS - 1);
    }
}
