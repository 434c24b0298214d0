package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Lease;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The rules of FAIL, which releases the key for a retry. */
abstract class FailSection extends StoreSection {

    @Test
    void fenceAttemptsAndFingerprintAreKept() {
        Lease lease = granted(Request.of(record).fingerprinted(HUNDRED)).lease();

        assertThat(store().fail(lease, Duration.ZERO)).isEqualTo(ok());

        assertOneAttemptOfHundred(RecordState.FAILED, lease);
    }

    private void assertOneAttemptOfHundred(RecordState state, Lease last) {
        RecordSnapshot left = snapshot();
        assertThat(left.state()).isEqualTo(state);
        assertThat(left.fence()).isEqualTo(last.fence());
        assertThat(left.attempts()).isOne();
        assertThat(left.fingerprint()).isEqualTo(HUNDRED);
    }

    @Test
    void aRepeatedFailureChangesNothing() {
        Lease lease = failed(Duration.ZERO);

        assertChangesNothing(ok(), () -> store().fail(lease, Duration.ofHours(1)));
    }

    @Test
    void aDelayLongerThanTheRetentionKeepsTheRecord() {
        Lease lease = granted(Request.of(record).retainedFor(LEASE)).lease();
        store().fail(lease, Duration.ofHours(2));
        advance(Duration.ofHours(1));

        assertThat(snapshot().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aNegativeDelayIsNone() {
        store().fail(lease(), Duration.ofHours(-1));

        assertThat(granted(Request.of(record)).lease().attempt()).isEqualTo(2);
    }

    @Test
    void aDelayThatEndedBeforeTimeIsCountedIsNone() {
        assertThat(store().fail(lease(), Duration.between(Instant.now(), Instant.MIN)))
                .isEqualTo(ok());

        assertThat(granted(Request.of(record)).lease().attempt()).isEqualTo(2);
    }

    @Test
    void anOwnerWhoseLeaseWasTakenClearsNothing() {
        Lease first = lease();
        Lease second = takeover();

        assertChangesNothing(lost(RecordState.PENDING), () -> store().fail(first, Duration.ZERO));
        store().complete(second, RECEIPT);
        assertChangesNothing(lost(RecordState.COMPLETED, RECEIPT), () -> store().fail(first, Duration.ZERO));
    }

    @Test
    void whatIsCompletedIsNotCleared() {
        Lease lease = completed();

        assertChangesNothing(lost(RecordState.COMPLETED, RECEIPT), () -> store().fail(lease, Duration.ZERO));
    }

    @Test
    void anEarlierGrantThatFailedIsNotTheCurrentOne() {
        Lease first = failed(Duration.ZERO);
        failed(Duration.ZERO);

        assertChangesNothing(lost(RecordState.FAILED), () -> store().fail(first, Duration.ZERO));
    }

    @Test
    void neitherAStrangerNorAnotherFenceClears() {
        Lease lease = lease();

        assertLost(() -> store().fail(withOwner(lease, stranger()), Duration.ZERO));
        assertLost(() -> store().fail(withFence(lease, lease.fence() + 1), Duration.ZERO));
    }

    @Test
    void anAttemptThatDoesNotCountLeavesTheAttemptsOfBefore() {
        failUncounted(granted(Request.of(record).fingerprinted(HUNDRED)).lease());
        assertThat(snapshot().attempts()).isZero();
        assertThat(snapshot().fingerprint().isNone()).isTrue();
        Lease first = granted(Request.of(record).fingerprinted(HUNDRED)).lease();
        assertThat(first.attempt()).isOne();
        store().fail(first, Duration.ZERO);
        Lease second = lease();

        assertThat(failUncounted(second)).isEqualTo(ok());

        assertOneAttemptOfHundred(RecordState.FAILED, second);
        assertChangesNothing(ok(), () -> failUncounted(second));
        assertThat(lease().attempt()).isEqualTo(2);
    }

    @Test
    void aTakeoverThatDoesNotCountIsLeftToTheNextGrant() {
        granted(Request.of(record).fingerprinted(HUNDRED));
        Lease left = takeover();

        assertThat(failUncounted(left)).isEqualTo(ok());

        assertOneAttemptOfHundred(RecordState.PENDING, left);
        assertTakeover(2, left);
    }

    @Test
    void anOwnerThatLeftATakeoverHasNoRights() {
        lease();
        Lease left = takeover();
        failUncounted(left);

        assertChangesNothing(ok(), () -> failUncounted(left));
        assertHasNoRights(left, lost(RecordState.PENDING));
        Lease again = assertTakeover(2, left);
        assertChangesNothing(lost(RecordState.PENDING), () -> failUncounted(left));
        assertThat(failUncounted(again)).isEqualTo(ok());
        assertTakeover(2, again);
    }

    @Test
    void anOwnerThatLeftATakeoverAndAsksAgainTakesOverAgain() {
        lease();
        advance(LEASE);
        Request request = Request.of(record);
        Lease left = granted(request).lease();
        failUncounted(left);

        assertGranted(request, GrantKind.TAKEOVER, 2, left.fence());
    }

    @Test
    void reopenedWorkOfUnknownOutcomeStaysThatWhenItsTakeoverDoesNotCount() {
        Lease lapsed = granted(Request.of(record).fingerprinted(HUNDRED)).lease();
        advance(LEASE);
        store().reopen(record, lapsed.fence(), RETENTION);
        Lease left = lease();

        assertThat(failUncounted(left)).isEqualTo(ok());

        assertThat(snapshot().attempts()).isZero();
        assertThat(snapshot().fingerprint()).isEqualTo(HUNDRED);
        assertTakeover(1, left);
    }

    private Lease assertTakeover(int attempt, Lease before) {
        return assertGranted(Request.of(record).limitedTo(attempt), GrantKind.TAKEOVER, attempt, before.fence());
    }

    @Test
    void noNumberOfAttemptsThatDoNotCountUsesUpTheAllowedOnes() {
        for (int attempt = 1; attempt <= 2; attempt++) {
            failUncounted(granted(Request.of(record).limitedTo(2)).lease());
            failUncounted(granted(Request.of(record).limitedTo(2)).lease());
            store().fail(granted(Request.of(record).limitedTo(2)).lease(), Duration.ZERO);
        }

        assertChangesNothing(
                new Claim.Exhausted(2, snapshot().fence()),
                () -> acquire(Request.of(record).limitedTo(2)));
    }

    @Test
    void anOwnerWhoseLeaseWasTakenTakesNoAttemptBack() {
        Lease first = lease();
        Lease second = takeover();

        assertChangesNothing(lost(RecordState.PENDING), () -> failUncounted(first));
        store().complete(second, RECEIPT);
        assertChangesNothing(lost(RecordState.COMPLETED, RECEIPT), () -> failUncounted(second));
    }

    private StoreAnswer failUncounted(Lease lease) {
        return store().update(new RecordUpdate.Fail(lease, Duration.ZERO, false));
    }

    @Test
    void aRecordThatIsGoneIsNotMadeAnew() {
        assertMakesNoRecord(lease -> store().fail(lease, Duration.ZERO));
    }
}
