package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Claim.GrantKind;
import io.idem.Lease;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import org.junit.jupiter.api.Test;

/** The rules of FORCE, by which an operator ends unsettled work in its owner's place. */
abstract class ForceSection extends StoreSection {

    private StoreAnswer force(long fence, ForcedEnd end) {
        return store().force(record, fence, end, RETENTION);
    }

    @Test
    void workOfALivingOwnerMayBeReleasedAndIsNotItsOwnAnyMore() {
        Lease lease = lease();

        assertThat(force(lease.fence(), ForcedEnd.FAILED)).isEqualTo(ok());

        RecordSnapshot released = snapshot();
        assertThat(released.state()).isEqualTo(RecordState.FAILED);
        assertThat(released.fence()).isGreaterThan(lease.fence());
        assertThat(released.attempts()).isEqualTo(lease.attempt());
        assertHasNoRights(lease, lost(RecordState.FAILED));
        assertThat(snapshot()).isEqualTo(released);
    }

    @Test
    void releasedWorkMayBeTriedAgainAtOnce() {
        Lease lease = granted(Request.of(record).fingerprinted(HUNDRED)).lease();
        force(lease.fence(), ForcedEnd.FAILED);

        assertThat(snapshot().fingerprint()).isEqualTo(HUNDRED);
        assertGranted(Request.of(record), GrantKind.RETRY, lease.attempt() + 1, lease.fence() + 1);
    }

    @Test
    void workOfALivingOwnerMayBeCompletedAndItsResultIsNotKept() {
        Lease lease = granted(Request.of(record).fingerprinted(HUNDRED)).lease();

        assertThat(force(lease.fence(), ForcedEnd.COMPLETED)).isEqualTo(ok());

        assertThat(snapshot().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(snapshot().fingerprint()).isEqualTo(HUNDRED);
        assertHasNoRights(lease, lost(RecordState.COMPLETED, StoredResult.OMITTED));
        assertThat(acquire(Request.of(record))).isEqualTo(new Claim.Replay(StoredResult.OMITTED, lease.fence() + 1));
    }

    @Test
    void aDelayEndsWithTheRelease() {
        Lease lease = failed(LEASE);

        assertThat(force(lease.fence(), ForcedEnd.FAILED)).isEqualTo(ok());
        assertThat(granted(Request.of(record)).kind()).isEqualTo(GrantKind.RETRY);
    }

    @Test
    void failedWorkMayBeCompleted() {
        Lease lease = failed(LEASE);

        assertThat(force(lease.fence(), ForcedEnd.COMPLETED)).isEqualTo(ok());
        assertThat(acquire(Request.of(record))).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void aRepeatedReleaseChangesNothing() {
        Lease lease = lease();
        force(lease.fence(), ForcedEnd.FAILED);

        assertChangesNothing(ok(), () -> force(lease.fence(), ForcedEnd.FAILED));
    }

    @Test
    void aRepeatedCompletionChangesNothing() {
        Lease lease = lease();
        force(lease.fence(), ForcedEnd.COMPLETED);

        assertChangesNothing(ok(), () -> force(lease.fence(), ForcedEnd.COMPLETED));
    }

    @Test
    void aReleaseIsNotTakenForOneOfAnEarlierFence() {
        Lease lease = failed(LEASE);

        assertChangesNothing(lost(RecordState.FAILED), () -> force(lease.fence() - 1, ForcedEnd.FAILED));
    }

    @Test
    void anotherFenceThanTheOneThatWasSeenChangesNothing() {
        Lease lease = lease();

        for (ForcedEnd end : ForcedEnd.values()) {
            assertChangesNothing(lost(RecordState.PENDING), () -> force(lease.fence() + 1, end));
            assertChangesNothing(lost(RecordState.PENDING), () -> force(lease.fence() - 1, end));
        }
    }

    @Test
    void whatIsSettledForGoodStaysSo() {
        Lease lease = completed();

        for (ForcedEnd end : ForcedEnd.values()) {
            assertChangesNothing(lost(RecordState.COMPLETED, RECEIPT), () -> force(lease.fence(), end));
        }
    }

    @Test
    void rejectedWorkIsForReopeningAndNotForForce() {
        Lease lease = rejected("no");

        assertChangesNothing(lost(RecordState.REJECTED), () -> force(lease.fence(), ForcedEnd.COMPLETED));
    }

    @Test
    void thereIsNothingToForceWithoutARecord() {
        assertThat(force(1, ForcedEnd.FAILED)).isEqualTo(lost(RecordState.ABSENT));
        assertThat(store().inspect(record)).isEmpty();
    }

    @Test
    void whatIsForcedIsKeptForTheRetentionThatItsOperatorGives() {
        Lease lease = lease();
        store().force(record, lease.fence(), ForcedEnd.COMPLETED, LEASE);
        advance(LEASE);

        assertThat(store().inspect(record)).isEmpty();
    }
}
