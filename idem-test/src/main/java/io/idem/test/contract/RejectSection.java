package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoreAnswer;
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
        Lease lease = lease();
        store().reject(lease, "first");

        assertThat(leavingUntouched(() -> store().reject(lease, "second"))).isEqualTo(ok());
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

        assertThat(leavingUntouched(() -> store().reject(first, "no"))).isEqualTo(lost(RecordState.PENDING));
    }

    @Test
    void anEarlierGrantIsNotTheOneThatWasRejected() {
        Lease first = lease();
        store().reject(takeover(), "second");

        assertThat(leavingUntouched(() -> store().reject(first, "first"))).isEqualTo(lost(RecordState.REJECTED));
    }

    @Test
    void whatIsSettledOtherwiseIsNotRejected() {
        Lease failed = lease();
        store().fail(failed, Duration.ZERO);
        assertThat(leavingUntouched(() -> store().reject(failed, "no"))).isEqualTo(lost(RecordState.FAILED));
        Lease completed = lease();
        store().complete(completed, RECEIPT);
        assertThat(leavingUntouched(() -> store().reject(completed, "no")))
                .isEqualTo(new StoreAnswer.Lost(RecordState.COMPLETED, RECEIPT));
    }

    @Test
    void neitherAStrangerNorAnotherFenceRejects() {
        Lease lease = lease();

        assertThat(leavingUntouched(() -> store().reject(withOwner(lease, stranger()), "no")))
                .isInstanceOf(StoreAnswer.Lost.class);
        assertThat(leavingUntouched(() -> store().reject(withFence(lease, lease.fence() + 1), "no")))
                .isInstanceOf(StoreAnswer.Lost.class);
    }

    @Test
    void aRecordThatIsGoneIsNotMadeAnew() {
        Lease lease = lease();
        advance(RETENTION);

        assertThat(store().reject(lease, "no")).isEqualTo(lost(RecordState.ABSENT));
        assertThat(store().inspect(record)).isEmpty();
    }
}
