package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rules of RENEW, which extends an owner's lease. */
abstract class RenewSection extends StoreSection {

    @Test
    void aRenewedLeaseLastsItsFullDurationFromThen() {
        Lease lease = lease();
        advance(LEASE.minusMinutes(2));

        assertThat(store().renew(lease)).isEqualTo(ok());

        advance(LEASE.minusMinutes(2));
        assertThat(acquire(Request.of(record))).isInstanceOf(Claim.InProgress.class);
        advance(Duration.ofMinutes(2));
        assertThat(acquire(Request.of(record))).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aLapsedLeaseThatNobodyTookIsRenewed() {
        Lease lease = lease();
        advance(LEASE.multipliedBy(2));

        assertThat(store().renew(lease)).isEqualTo(ok());

        assertThat(acquire(Request.of(record))).isInstanceOf(Claim.InProgress.class);
    }

    @Test
    void aRenewalKeepsTheRecordForItsRetention() {
        Lease lease = lease();
        advance(RETENTION.minus(SLACK));

        store().renew(lease);
        advance(RETENTION.minus(SLACK));

        assertThat(snapshot().fence()).isEqualTo(lease.fence());
    }

    @Test
    void aTakenLeaseIsLost() {
        Lease lease = lease();
        takeover();

        assertThat(leavingUntouched(() -> store().renew(lease))).isEqualTo(lost(RecordState.PENDING));
    }

    @Test
    void anotherOwnersLeaseIsNotRenewed() {
        Lease lease = lease();

        assertThat(leavingUntouched(() -> store().renew(withOwner(lease, stranger()))))
                .isInstanceOf(StoreAnswer.Lost.class);
        assertThat(leavingUntouched(() -> store().renew(withFence(lease, lease.fence() - 1))))
                .isInstanceOf(StoreAnswer.Lost.class);
    }

    @Test
    void aRecordThatIsGoneIsLost() {
        Lease lease = lease();
        advance(RETENTION);

        assertThat(store().renew(lease)).isEqualTo(lost(RecordState.ABSENT));
        assertThat(store().inspect(record)).isEmpty();
    }

    @Test
    void aRenewalThatRacedItsOwnSettlementLostNothing() {
        Lease failed = lease();
        store().fail(failed, Duration.ZERO);
        assertThat(leavingUntouched(() -> store().renew(failed)))
                .isEqualTo(new StoreAnswer.AlreadySettled(RecordState.FAILED));
        Lease completed = lease();
        store().complete(completed, RECEIPT);
        assertThat(leavingUntouched(() -> store().renew(completed)))
                .isEqualTo(new StoreAnswer.AlreadySettled(RecordState.COMPLETED));
        store().reopen(record, completed.fence(), RETENTION);
        Lease rejected = lease();
        store().reject(rejected, "no");
        assertThat(leavingUntouched(() -> store().renew(rejected)))
                .isEqualTo(new StoreAnswer.AlreadySettled(RecordState.REJECTED));
    }

    @Test
    void aGrantThatSomebodyElseEndedIsLost() {
        Lease first = lease();
        store().complete(takeover(), RECEIPT);

        assertThat(leavingUntouched(() -> store().renew(first)))
                .isEqualTo(new StoreAnswer.Lost(RecordState.COMPLETED, RECEIPT));
    }
}
