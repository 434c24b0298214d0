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
import java.time.Duration;
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
        assertRefused(lease, lost(RecordState.FAILED));
        assertThat(snapshot()).isEqualTo(released);
    }

    @Test
    void releasedWorkMayBeTriedAgainAtOnce() {
        Lease lease = granted(Request.of(record).fingerprinted(HUNDRED)).lease();
        force(lease.fence(), ForcedEnd.FAILED);

        assertThat(snapshot().fingerprint()).isEqualTo(HUNDRED);
        Claim.Granted next = granted(Request.of(record));
        assertThat(next.kind()).isEqualTo(GrantKind.RETRY);
        assertThat(next.lease().attempt()).isEqualTo(lease.attempt() + 1);
        assertThat(next.lease().fence()).isGreaterThan(lease.fence() + 1);
    }

    @Test
    void workOfALivingOwnerMayBeCompletedAndItsResultIsNotKept() {
        Lease lease = granted(Request.of(record).fingerprinted(HUNDRED)).lease();

        assertThat(force(lease.fence(), ForcedEnd.COMPLETED)).isEqualTo(ok());

        assertThat(snapshot().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(snapshot().fingerprint()).isEqualTo(HUNDRED);
        assertRefused(lease, new StoreAnswer.Lost(RecordState.COMPLETED, StoredResult.OMITTED));
        assertThat(acquire(Request.of(record))).isEqualTo(new Claim.Replay(StoredResult.OMITTED, lease.fence() + 1));
    }

    private void assertRefused(Lease lease, StoreAnswer lost) {
        assertThat(store().renew(lease)).isEqualTo(lost);
        assertThat(store().complete(lease, RECEIPT)).isEqualTo(lost);
        assertThat(store().fail(lease, Duration.ZERO)).isEqualTo(lost);
        assertThat(store().reject(lease, "no")).isEqualTo(lost);
    }

    @Test
    void aDelayEndsWithTheRelease() {
        Lease lease = lease();
        store().fail(lease, LEASE);

        assertThat(force(lease.fence(), ForcedEnd.FAILED)).isEqualTo(ok());
        assertThat(granted(Request.of(record)).kind()).isEqualTo(GrantKind.RETRY);
    }

    @Test
    void failedWorkMayBeCompleted() {
        Lease lease = lease();
        store().fail(lease, LEASE);

        assertThat(force(lease.fence(), ForcedEnd.COMPLETED)).isEqualTo(ok());
        assertThat(acquire(Request.of(record))).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void aRepeatedReleaseChangesNothing() {
        Lease lease = lease();
        force(lease.fence(), ForcedEnd.FAILED);

        assertThat(leavingUntouched(() -> force(lease.fence(), ForcedEnd.FAILED)))
                .isEqualTo(ok());
    }

    @Test
    void aRepeatedCompletionChangesNothing() {
        Lease lease = lease();
        force(lease.fence(), ForcedEnd.COMPLETED);

        assertThat(leavingUntouched(() -> force(lease.fence(), ForcedEnd.COMPLETED)))
                .isEqualTo(ok());
    }

    @Test
    void aReleaseIsNotTakenForOneOfAnEarlierFence() {
        Lease lease = lease();
        store().fail(lease, LEASE);

        assertThat(leavingUntouched(() -> force(lease.fence() - 1, ForcedEnd.FAILED)))
                .isEqualTo(lost(RecordState.FAILED));
    }

    @Test
    void anotherFenceThanTheOneThatWasSeenChangesNothing() {
        Lease lease = lease();

        for (ForcedEnd end : ForcedEnd.values()) {
            assertThat(leavingUntouched(() -> force(lease.fence() + 1, end))).isEqualTo(lost(RecordState.PENDING));
            assertThat(leavingUntouched(() -> force(lease.fence() - 1, end))).isEqualTo(lost(RecordState.PENDING));
        }
    }

    @Test
    void whatIsSettledForGoodStaysSo() {
        Lease lease = lease();
        store().complete(lease, RECEIPT);
        StoreAnswer done = new StoreAnswer.Lost(RecordState.COMPLETED, RECEIPT);

        for (ForcedEnd end : ForcedEnd.values()) {
            assertThat(leavingUntouched(() -> force(lease.fence(), end))).isEqualTo(done);
        }
    }

    @Test
    void rejectedWorkIsForReopeningAndNotForForce() {
        Lease lease = lease();
        store().reject(lease, "no");

        assertThat(leavingUntouched(() -> force(lease.fence(), ForcedEnd.COMPLETED)))
                .isEqualTo(lost(RecordState.REJECTED));
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
