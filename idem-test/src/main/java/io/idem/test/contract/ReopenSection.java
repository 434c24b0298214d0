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
        assertGranted(Request.of(record).limitedTo(1), nextKind, 1, last.fence());
    }

    @Test
    void completedWorkMayBeOpenedAgain() {
        Lease lease = completed();

        assertThat(reopen(lease.fence())).isEqualTo(ok());

        assertReopened(lease);
    }

    @Test
    void rejectedWorkMayBeOpenedAgain() {
        Lease lease = rejected("no");

        assertThat(reopen(lease.fence())).isEqualTo(ok());

        assertReopened(lease);
    }

    @Test
    void anOperatorOpensAgainWhatFailedForGoodWithoutKnowingItsFence() {
        Lease lease = rejected("no");
        RecordReopener reopener = new RecordReopener(store(), ScopePolicies.same(ExecutionPolicy.of(LEASE, RETENTION)));

        assertThat(reopener.reopen(record.key(), record.scope()))
                .contains(new RecordReopener.Reopening(record.scope(), RecordState.REJECTED, true));

        assertReopened(lease);
    }

    @Test
    void exhaustedWorkMayBeOpenedAgain() {
        Lease lapsed = lapsed();
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
        Lease lapsed = lapsed();
        reopen(lapsed.fence());
        advance(Duration.ofMinutes(1));

        assertChangesNothing(ok(), () -> reopen(lapsed.fence()));
    }

    @Test
    void aTakeoverOfReopenedWorkIsOneAlsoWhenItIsAskedForAgain() {
        Lease lapsed = lapsed();
        reopen(lapsed.fence());
        Request asked = Request.of(record);
        granted(asked);

        Claim.Granted again = granted(asked);

        assertThat(again.kind()).isEqualTo(GrantKind.REENTRANT);
        assertThat(again.isTakeover()).isTrue();
    }

    @Test
    void theOwnerOfALapsedGrantHasNoRightsInTheReopenedRecord() {
        Lease lapsed = lapsed();
        reopen(lapsed.fence());

        assertHasNoRights(lapsed, lost(RecordState.PENDING));
    }

    @Test
    void aDelayEndsWithTheReopening() {
        Lease lease = failed(Duration.ofHours(2));

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
        Lease lease = completed();
        reopen(lease.fence());
        advance(Duration.ofMinutes(1));

        assertChangesNothing(ok(), () -> reopen(lease.fence()));
    }

    @Test
    void aLiveLeaseIsNotTakenAway() {
        Lease lease = lease();

        assertChangesNothing(lost(RecordState.PENDING), () -> reopen(lease.fence()));
    }

    @Test
    void aRecordThatMovedOnSinceTheOperatorLookedStaysAsItIs() {
        Lease first = lease();
        store().complete(takeover(), RECEIPT);

        assertChangesNothing(lost(RecordState.COMPLETED, RECEIPT), () -> reopen(first.fence()));
    }

    @Test
    void aRecordThatIsGoneStaysGone() {
        assertThat(reopen(1)).isEqualTo(lost(RecordState.ABSENT));
        assertThat(store().inspect(record)).isEmpty();
    }

    @Test
    void theOwnerOfTheEndedGrantHasNoRightsInTheReopenedRecord() {
        Lease lease = failed(Duration.ZERO);
        reopen(lease.fence());

        assertHasNoRights(lease, lost(RecordState.FAILED));
    }

    @Test
    void retentionCountsFromTheReopening() {
        Lease lease = completed();
        advance(RETENTION.minus(SLACK));
        reopen(lease.fence());
        advance(RETENTION.minus(SLACK));

        assertThat(snapshot().state()).isEqualTo(RecordState.FAILED);
    }
}
