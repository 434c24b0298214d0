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

        assertChangesNothing(lost(RecordState.PENDING), () -> store().renew(lease));
    }

    @Test
    void anotherOwnersLeaseIsNotRenewed() {
        Lease lease = lease();

        assertLost(() -> store().renew(withOwner(lease, stranger())));
        assertLost(() -> store().renew(withFence(lease, lease.fence() - 1)));
    }

    @Test
    void aRecordThatIsGoneIsLost() {
        assertMakesNoRecord(store()::renew);
    }

    @Test
    void aRenewalThatRacedItsOwnSettlementLostNothing() {
        Lease failed = failed(Duration.ZERO);
        assertChangesNothing(new StoreAnswer.AlreadySettled(RecordState.FAILED), () -> store().renew(failed));
        Lease completed = completed();
        assertChangesNothing(new StoreAnswer.AlreadySettled(RecordState.COMPLETED), () -> store().renew(completed));
        store().reopen(record, completed.fence(), RETENTION);
        Lease rejected = rejected("no");
        assertChangesNothing(new StoreAnswer.AlreadySettled(RecordState.REJECTED), () -> store().renew(rejected));
    }

    @Test
    void aGrantThatSomebodyElseEndedIsLost() {
        Lease first = lease();
        store().complete(takeover(), RECEIPT);

        assertChangesNothing(lost(RecordState.COMPLETED, RECEIPT), () -> store().renew(first));
    }
}
