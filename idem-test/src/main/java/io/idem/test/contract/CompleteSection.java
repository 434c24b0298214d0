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
        Lease lease = completed();

        assertChangesNothing(new StoreAnswer.Ok(RECEIPT), () -> store().complete(lease, OTHER_RECEIPT));
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

        assertChangesNothing(lost(RecordState.PENDING), () -> store().complete(first, RECEIPT));
        store().complete(second, OTHER_RECEIPT);
        assertChangesNothing(lost(RecordState.COMPLETED, OTHER_RECEIPT), () -> store().complete(first, RECEIPT));
    }

    @Test
    void neitherAStrangerNorAnotherFenceCompletes() {
        Lease lease = lease();

        assertChangesNothing(lost(RecordState.PENDING), () -> store().complete(withOwner(lease, stranger()), RECEIPT));
        assertChangesNothing(
                lost(RecordState.PENDING), () -> store().complete(withFence(lease, lease.fence() + 1), RECEIPT));
    }

    @Test
    void workThatWasGivenBackIsNotCompleted() {
        Lease lease = failed(Duration.ZERO);

        assertChangesNothing(lost(RecordState.FAILED), () -> store().complete(lease, RECEIPT));
    }

    @Test
    void workThatWasRejectedIsNotCompleted() {
        Lease lease = rejected("no");

        assertChangesNothing(lost(RecordState.REJECTED), () -> store().complete(lease, RECEIPT));
    }

    @Test
    void aRecordThatIsGoneIsNotMadeAnew() {
        assertMakesNoRecord(lease -> store().complete(lease, RECEIPT));
    }

    @Test
    void workThatIsNotCompletedIsNotAnsweredAsIfItWere() {
        lease();

        assertThat(acquire(Request.of(record))).isInstanceOf(Claim.InProgress.class);
    }
}
