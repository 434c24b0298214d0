package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rules of REJECT, which ends the work for good without a result. */
abstract class RejectSection extends StoreSection {

    @Test
    void theReasonIsKept() {
        Lease lease = lease();

        assertThat(store().reject(lease, "")).isEqualTo(ok());

        assertThat(snapshot().state()).isEqualTo(RecordState.REJECTED);
        assertThat(acquire(Request.of(record))).isEqualTo(new Claim.Rejected("", lease.fence()));
    }

    @Test
    void aRepeatedRejectionKeepsTheFirstReason() {
        Lease lease = rejected("first");

        assertChangesNothing(ok(), () -> store().reject(lease, "second"));
        assertThat(snapshot().reason()).isEqualTo("first");
    }

    @Test
    void retentionCountsFromTheRejection() {
        Lease lease = lease();
        advance(RETENTION.minus(SLACK));
        store().reject(lease, "no");
        advance(RETENTION.minus(SLACK));

        assertThat(snapshot().state()).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void anOwnerWhoseLeaseWasTakenRejectsNothing() {
        Lease first = lease();
        takeover();

        assertChangesNothing(lost(RecordState.PENDING), () -> store().reject(first, "no"));
    }

    @Test
    void anEarlierGrantIsNotTheOneThatWasRejected() {
        Lease first = lease();
        store().reject(takeover(), "second");

        assertChangesNothing(lost(RecordState.REJECTED), () -> store().reject(first, "first"));
    }

    @Test
    void whatIsSettledOtherwiseIsNotRejected() {
        Lease failed = failed(Duration.ZERO);
        assertChangesNothing(lost(RecordState.FAILED), () -> store().reject(failed, "no"));
        Lease completed = completed();
        assertChangesNothing(lost(RecordState.COMPLETED, RECEIPT), () -> store().reject(completed, "no"));
    }

    @Test
    void neitherAStrangerNorAnotherFenceRejects() {
        Lease lease = lease();

        assertLost(() -> store().reject(withOwner(lease, stranger()), "no"));
        assertLost(() -> store().reject(withFence(lease, lease.fence() + 1), "no"));
    }

    @Test
    void aRecordThatIsGoneIsNotMadeAnew() {
        assertMakesNoRecord(lease -> store().reject(lease, "no"));
    }
}
