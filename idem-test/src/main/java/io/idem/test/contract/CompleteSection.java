package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of COMPLETE, which stores the result for good. */
abstract class CompleteSection extends StoreSection {

    private static final int LARGE = 100_000;

    static Stream<StoredResult> results() {
        byte[] large = new byte[LARGE];
        new Random(1).nextBytes(large);
        return Stream.of(
                StoredResult.NONE, StoredResult.of("empty", new byte[0]), RECEIPT, StoredResult.of("a", large));
    }

    @ParameterizedTest
    @MethodSource("results")
    void theResultIsKeptToTheByte(StoredResult result) {
        Lease lease = lease();

        assertThat(store().complete(lease, result)).isEqualTo(new StoreAnswer.Ok(result));

        assertThat(acquire(Request.of(record))).isEqualTo(new Claim.Replay(result, lease.fence()));
        assertThat(snapshot().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aRepeatedCompletionAnswersTheFirstResult() {
        Lease lease = lease();
        store().complete(lease, RECEIPT);

        assertThat(leavingUntouched(() -> store().complete(lease, OTHER_RECEIPT)))
                .isEqualTo(new StoreAnswer.Ok(RECEIPT));
    }

    @Test
    void aLapsedLeaseThatNobodyTookStillCompletes() {
        Lease lease = lease();
        advance(LEASE.multipliedBy(3));

        assertThat(store().complete(lease, RECEIPT)).isEqualTo(new StoreAnswer.Ok(RECEIPT));
    }

    @Test
    void retentionCountsFromTheCompletion() {
        Lease lease = lease();
        advance(RETENTION.minus(SLACK));
        store().complete(lease, RECEIPT);
        advance(RETENTION.minus(SLACK));
        assertThat(snapshot().state()).isEqualTo(RecordState.COMPLETED);

        advance(SLACK);

        assertThat(store().inspect(record)).isEmpty();
    }

    @Test
    void anOwnerWhoseLeaseWasTakenCompletesNothing() {
        Lease first = lease();
        Lease second = takeover();

        assertThat(leavingUntouched(() -> store().complete(first, RECEIPT))).isEqualTo(lost(RecordState.PENDING));
        store().complete(second, OTHER_RECEIPT);
        assertThat(leavingUntouched(() -> store().complete(first, RECEIPT)))
                .isEqualTo(new StoreAnswer.Lost(RecordState.COMPLETED, OTHER_RECEIPT));
    }

    @Test
    void neitherAStrangerNorAnotherFenceCompletes() {
        Lease lease = lease();

        assertThat(leavingUntouched(() -> store().complete(withOwner(lease, stranger()), RECEIPT)))
                .isEqualTo(lost(RecordState.PENDING));
        assertThat(leavingUntouched(() -> store().complete(withFence(lease, lease.fence() + 1), RECEIPT)))
                .isEqualTo(lost(RecordState.PENDING));
    }

    @Test
    void workThatWasGivenBackIsNotCompleted() {
        Lease lease = lease();
        store().fail(lease, Duration.ZERO);

        assertThat(leavingUntouched(() -> store().complete(lease, RECEIPT))).isEqualTo(lost(RecordState.FAILED));
    }

    @Test
    void workThatWasRejectedIsNotCompleted() {
        Lease lease = lease();
        store().reject(lease, "no");

        assertThat(leavingUntouched(() -> store().complete(lease, RECEIPT))).isEqualTo(lost(RecordState.REJECTED));
    }

    @Test
    void aRecordThatIsGoneIsNotMadeAnew() {
        Lease lease = lease();
        advance(RETENTION);

        assertThat(store().complete(lease, RECEIPT)).isEqualTo(lost(RecordState.ABSENT));
        assertThat(store().inspect(record)).isEmpty();
    }

    @Test
    void workThatIsNotCompletedIsNotAnsweredAsIfItWere() {
        lease();

        assertThat(acquire(Request.of(record))).isInstanceOf(Claim.InProgress.class);
    }
}
