package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.Lease;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rules of ERASE, by which an operator removes results without letting the work run again. */
abstract class EraseSection extends StoreSection {

    @Test
    void anErasedResultIsGoneAndItsDuplicatesAreStillNotRun() {
        Lease lease = completed();
        RecordSnapshot before = snapshot();

        assertThat(store().erase(record)).isEqualTo(ok());

        assertThat(acquire(Request.of(record))).isEqualTo(new Claim.Replay(StoredResult.OMITTED, lease.fence()));
        RecordSnapshot after = snapshot();
        assertThat(after.result()).isEqualTo(StoredResult.OMITTED);
        assertThat(after).usingRecursiveComparison().ignoringFields("result").isEqualTo(before);
    }

    @Test
    void aLateRepetitionOfTheCompletionDoesNotBringItBack() {
        Lease lease = completed();
        store().erase(record);

        assertChangesNothing(new StoreAnswer.Ok(StoredResult.OMITTED), () -> store().complete(lease, RECEIPT));
    }

    @Test
    void anErasedReasonIsGoneAndTheWorkStaysRejected() {
        Lease lease = rejected("account 4711 is closed");

        assertThat(store().erase(record)).isEqualTo(ok());

        assertThat(acquire(Request.of(record))).isEqualTo(new Claim.Rejected("", lease.fence()));
    }

    @Test
    void theFingerprintIsStillChecked() {
        store().complete(granted(Request.of(record).fingerprinted(HUNDRED)).lease(), RECEIPT);
        store().erase(record);

        assertThat(acquire(Request.of(record).fingerprinted(THOUSAND))).isEqualTo(new Claim.Mismatch());
    }

    @Test
    void workWithoutAResultIsLeftAsItIs() {
        store().complete(lease(), StoredResult.NONE);

        assertChangesNothing(ok(), () -> store().erase(record));
    }

    @Test
    void erasingTwiceHasTheEffectOfErasingOnce() {
        store().complete(lease(), RECEIPT);
        store().erase(record);

        assertChangesNothing(ok(), () -> store().erase(record));
    }

    @Test
    void whatIsNotSettledHasNothingToErase() {
        Lease lease = lease();
        assertChangesNothing(lost(RecordState.PENDING), () -> store().erase(record));

        store().fail(lease, Duration.ZERO);
        assertChangesNothing(lost(RecordState.FAILED), () -> store().erase(record));
    }

    @Test
    void whereThereIsNoRecordNoneIsMade() {
        assertChangesNothing(lost(RecordState.ABSENT), () -> store().erase(record));
    }

    @Test
    void theRecordExpiresWhenItWouldHave() {
        store().complete(lease(), RECEIPT);
        advance(RETENTION.minus(SLACK));
        store().erase(record);
        assertThat(store().inspect(record)).isPresent();

        advance(SLACK);

        assertThat(store().inspect(record)).isEmpty();
    }
}
