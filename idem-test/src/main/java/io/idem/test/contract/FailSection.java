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

        RecordSnapshot left = snapshot();
        assertThat(left.state()).isEqualTo(RecordState.FAILED);
        assertThat(left.fence()).isEqualTo(lease.fence());
        assertThat(left.attempts()).isOne();
        assertThat(left.fingerprint()).isEqualTo(HUNDRED);
    }

    @Test
    void aRepeatedFailureChangesNothing() {
        Lease lease = lease();
        store().fail(lease, Duration.ZERO);

        assertThat(leavingUntouched(() -> store().fail(lease, Duration.ofHours(1))))
                .isEqualTo(ok());
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

        assertThat(leavingUntouched(() -> store().fail(first, Duration.ZERO))).isEqualTo(lost(RecordState.PENDING));
        store().complete(second, RECEIPT);
        assertThat(leavingUntouched(() -> store().fail(first, Duration.ZERO)))
                .isEqualTo(new StoreAnswer.Lost(RecordState.COMPLETED, RECEIPT));
    }

    @Test
    void whatIsCompletedIsNotCleared() {
        Lease lease = lease();
        store().complete(lease, RECEIPT);

        assertThat(leavingUntouched(() -> store().fail(lease, Duration.ZERO)))
                .isEqualTo(new StoreAnswer.Lost(RecordState.COMPLETED, RECEIPT));
    }

    @Test
    void anEarlierGrantThatFailedIsNotTheCurrentOne() {
        Lease first = lease();
        store().fail(first, Duration.ZERO);
        Lease second = lease();
        store().fail(second, Duration.ZERO);

        assertThat(leavingUntouched(() -> store().fail(first, Duration.ZERO))).isEqualTo(lost(RecordState.FAILED));
    }

    @Test
    void neitherAStrangerNorAnotherFenceClears() {
        Lease lease = lease();

        assertThat(leavingUntouched(() -> store().fail(withOwner(lease, stranger()), Duration.ZERO)))
                .isInstanceOf(StoreAnswer.Lost.class);
        assertThat(leavingUntouched(() -> store().fail(withFence(lease, lease.fence() + 1), Duration.ZERO)))
                .isInstanceOf(StoreAnswer.Lost.class);
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

        RecordSnapshot left = snapshot();
        assertThat(left.state()).isEqualTo(RecordState.FAILED);
        assertThat(left.fence()).isEqualTo(second.fence());
        assertThat(left.attempts()).isOne();
        assertThat(left.fingerprint()).isEqualTo(HUNDRED);
        assertThat(leavingUntouched(() -> failUncounted(second))).isEqualTo(ok());
        assertThat(lease().attempt()).isEqualTo(2);
    }

    @Test
    void aTakeoverThatDoesNotCountIsLeftToTheNextGrant() {
        granted(Request.of(record).fingerprinted(HUNDRED));
        Lease left = takeover();

        assertThat(failUncounted(left)).isEqualTo(ok());

        RecordSnapshot found = snapshot();
        assertThat(found.state()).isEqualTo(RecordState.PENDING);
        assertThat(found.fence()).isEqualTo(left.fence());
        assertThat(found.attempts()).isOne();
        assertThat(found.fingerprint()).isEqualTo(HUNDRED);
        assertTakeover(2, left);
    }

    @Test
    void anOwnerThatLeftATakeoverHasNoRights() {
        lease();
        Lease left = takeover();
        failUncounted(left);

        assertThat(leavingUntouched(() -> failUncounted(left))).isEqualTo(ok());
        assertThat(leavingUntouched(() -> store().renew(left))).isEqualTo(lost(RecordState.PENDING));
        assertThat(leavingUntouched(() -> store().complete(left, RECEIPT))).isEqualTo(lost(RecordState.PENDING));
        assertThat(leavingUntouched(() -> store().fail(left, Duration.ZERO))).isEqualTo(lost(RecordState.PENDING));
        assertThat(leavingUntouched(() -> store().reject(left, "no"))).isEqualTo(lost(RecordState.PENDING));
        Lease again = assertTakeover(2, left);
        assertThat(leavingUntouched(() -> failUncounted(left))).isEqualTo(lost(RecordState.PENDING));
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

        Claim.Granted again = granted(request);

        assertThat(again.kind()).isEqualTo(GrantKind.TAKEOVER);
        assertThat(again.lease().fence()).isGreaterThan(left.fence());
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
        Claim.Granted next = granted(Request.of(record).limitedTo(attempt));
        assertThat(next.kind()).isEqualTo(GrantKind.TAKEOVER);
        assertThat(next.lease().attempt()).isEqualTo(attempt);
        assertThat(next.lease().fence()).isGreaterThan(before.fence());
        return next.lease();
    }

    @Test
    void noNumberOfAttemptsThatDoNotCountUsesUpTheAllowedOnes() {
        Request request = Request.of(record).limitedTo(2);
        for (int attempt = 1; attempt <= 2; attempt++) {
            failUncounted(granted(request.by(stranger())).lease());
            failUncounted(granted(request.by(stranger())).lease());
            store().fail(granted(request.by(stranger())).lease(), Duration.ZERO);
        }

        assertThat(leavingUntouched(() -> acquire(request)))
                .isEqualTo(new Claim.Exhausted(2, snapshot().fence()));
    }

    @Test
    void anOwnerWhoseLeaseWasTakenTakesNoAttemptBack() {
        Lease first = lease();
        Lease second = takeover();

        assertThat(leavingUntouched(() -> failUncounted(first))).isEqualTo(lost(RecordState.PENDING));
        store().complete(second, RECEIPT);
        assertThat(leavingUntouched(() -> failUncounted(second)))
                .isEqualTo(new StoreAnswer.Lost(RecordState.COMPLETED, RECEIPT));
    }

    private StoreAnswer failUncounted(Lease lease) {
        return store().update(new RecordUpdate.Fail(lease, Duration.ZERO, false));
    }

    @Test
    void aRecordThatIsGoneIsNotMadeAnew() {
        Lease lease = lease();
        advance(RETENTION);

        assertThat(store().fail(lease, Duration.ZERO)).isEqualTo(lost(RecordState.ABSENT));
        assertThat(store().inspect(record)).isEmpty();
    }
}
