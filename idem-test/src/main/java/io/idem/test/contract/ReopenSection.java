package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.ExecutionPolicy;
import io.idem.Lease;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.ScopePolicies;
import io.idem.StoreAnswer;
import io.idem.operations.RecordReopener;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rules of REOPEN, by which an operator allows another attempt. */
abstract class ReopenSection extends StoreSection {

    private StoreAnswer reopen(long fence) {
        return store().reopen(record, fence, RETENTION);
    }

    private void assertReopened(Lease last) {
        assertReopened(last, RecordState.FAILED, GrantKind.RETRY);
    }

    private void assertReopened(Lease last, RecordState state, GrantKind nextKind) {
        RecordSnapshot open = snapshot();
        assertThat(open.state()).isEqualTo(state);
        assertThat(open.attempts()).isZero();
        assertThat(open.fence()).isEqualTo(last.fence());
        Claim.Granted next = granted(Request.of(record).limitedTo(1));
        assertThat(next.kind()).isEqualTo(nextKind);
        assertThat(next.lease().attempt()).isOne();
        assertThat(next.lease().fence()).isGreaterThan(last.fence());
    }

    private void assertHasNoRights(Lease lease) {
        assertThat(leavingUntouched(() -> store().renew(lease))).isInstanceOf(StoreAnswer.Lost.class);
        assertThat(leavingUntouched(() -> store().complete(lease, RECEIPT))).isInstanceOf(StoreAnswer.Lost.class);
        assertThat(leavingUntouched(() -> store().fail(lease, Duration.ZERO))).isInstanceOf(StoreAnswer.Lost.class);
    }

    @Test
    void completedWorkMayBeOpenedAgain() {
        Lease lease = lease();
        store().complete(lease, RECEIPT);

        assertThat(reopen(lease.fence())).isEqualTo(ok());

        assertReopened(lease);
    }

    @Test
    void rejectedWorkMayBeOpenedAgain() {
        Lease lease = lease();
        store().reject(lease, "no");

        assertThat(reopen(lease.fence())).isEqualTo(ok());

        assertReopened(lease);
    }

    @Test
    void anOperatorOpensAgainWhatFailedForGoodWithoutKnowingItsFence() {
        Lease lease = lease();
        store().reject(lease, "no");
        RecordReopener reopener = new RecordReopener(store(), ScopePolicies.same(ExecutionPolicy.of(LEASE, RETENTION)));

        assertThat(reopener.reopen(record.key(), record.scope()))
                .contains(new RecordReopener.Reopening(record.scope(), RecordState.REJECTED, true));

        assertReopened(lease);
    }

    @Test
    void exhaustedWorkMayBeOpenedAgain() {
        Lease lapsed = lease();
        advance(LEASE);
        assertThat(acquire(Request.of(record).limitedTo(1))).isInstanceOf(Claim.Exhausted.class);

        assertThat(reopen(lapsed.fence())).isEqualTo(ok());

        assertReopened(lapsed, RecordState.PENDING, GrantKind.TAKEOVER);
    }

    @Test
    void workOfUnknownOutcomeStaysThatWhenItIsOpenedAgain() {
        Lease lapsed = takeover();
        advance(LEASE);

        assertThat(reopen(lapsed.fence())).isEqualTo(ok());

        assertReopened(lapsed, RecordState.PENDING, GrantKind.TAKEOVER);
    }

    @Test
    void aRepeatedReopeningOfWorkOfUnknownOutcomeChangesNothing() {
        Lease lapsed = lease();
        advance(LEASE);
        reopen(lapsed.fence());
        advance(Duration.ofMinutes(1));

        assertThat(leavingUntouched(() -> reopen(lapsed.fence()))).isEqualTo(ok());
    }

    @Test
    void aTakeoverOfReopenedWorkIsOneAlsoWhenItIsAskedForAgain() {
        Lease lapsed = lease();
        advance(LEASE);
        reopen(lapsed.fence());
        Request asked = Request.of(record);
        granted(asked);

        Claim.Granted again = granted(asked);

        assertThat(again.kind()).isEqualTo(GrantKind.REENTRANT);
        assertThat(again.isTakeover()).isTrue();
    }

    @Test
    void theOwnerOfALapsedGrantHasNoRightsInTheReopenedRecord() {
        Lease lapsed = lease();
        advance(LEASE);
        reopen(lapsed.fence());

        assertHasNoRights(lapsed);
    }

    @Test
    void aDelayEndsWithTheReopening() {
        Lease lease = lease();
        store().fail(lease, Duration.ofHours(2));

        assertThat(reopen(lease.fence())).isEqualTo(ok());

        assertReopened(lease);
    }

    @Test
    void theFingerprintIsKept() {
        Lease lease = granted(Request.of(record).fingerprinted(HUNDRED)).lease();
        store().complete(lease, RECEIPT);
        reopen(lease.fence());

        assertThat(acquire(Request.of(record).fingerprinted(THOUSAND))).isEqualTo(new Claim.Mismatch());
    }

    @Test
    void aRepeatedReopeningChangesNothing() {
        Lease lease = lease();
        store().complete(lease, RECEIPT);
        reopen(lease.fence());
        advance(Duration.ofMinutes(1));

        assertThat(leavingUntouched(() -> reopen(lease.fence()))).isEqualTo(ok());
    }

    @Test
    void aLiveLeaseIsNotTakenAway() {
        Lease lease = lease();

        assertThat(leavingUntouched(() -> reopen(lease.fence()))).isEqualTo(lost(RecordState.PENDING));
    }

    @Test
    void aRecordThatMovedOnSinceTheOperatorLookedStaysAsItIs() {
        Lease first = lease();
        store().complete(takeover(), RECEIPT);

        assertThat(leavingUntouched(() -> reopen(first.fence())))
                .isEqualTo(new StoreAnswer.Lost(RecordState.COMPLETED, RECEIPT));
    }

    @Test
    void aRecordThatIsGoneStaysGone() {
        assertThat(reopen(1)).isEqualTo(lost(RecordState.ABSENT));
        assertThat(store().inspect(record)).isEmpty();
    }

    @Test
    void theOwnerOfTheEndedGrantHasNoRightsInTheReopenedRecord() {
        Lease lease = lease();
        store().fail(lease, Duration.ZERO);
        reopen(lease.fence());

        assertHasNoRights(lease);
    }

    @Test
    void retentionCountsFromTheReopening() {
        Lease lease = lease();
        store().complete(lease, RECEIPT);
        advance(RETENTION.minus(SLACK));
        reopen(lease.fence());
        advance(RETENTION.minus(SLACK));

        assertThat(snapshot().state()).isEqualTo(RecordState.FAILED);
    }
}
