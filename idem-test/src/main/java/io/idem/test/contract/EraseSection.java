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
        Lease lease = lease();
        store().complete(lease, RECEIPT);
        RecordSnapshot before = snapshot();

        assertThat(store().erase(record)).isEqualTo(ok());

        assertThat(acquire(Request.of(record))).isEqualTo(new Claim.Replay(StoredResult.OMITTED, lease.fence()));
        RecordSnapshot after = snapshot();
        assertThat(after.result()).isEqualTo(StoredResult.OMITTED);
        assertThat(after).usingRecursiveComparison().ignoringFields("result").isEqualTo(before);
    }

    @Test
    void aLateRepetitionOfTheCompletionDoesNotBringItBack() {
        Lease lease = lease();
        store().complete(lease, RECEIPT);
        store().erase(record);

        assertThat(leavingUntouched(() -> store().complete(lease, RECEIPT)))
                .isEqualTo(new StoreAnswer.Ok(StoredResult.OMITTED));
    }

    @Test
    void anErasedReasonIsGoneAndTheWorkStaysRejected() {
        Lease lease = lease();
        store().reject(lease, "account 4711 is closed");

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

        assertThat(leavingUntouched(() -> store().erase(record))).isEqualTo(ok());
    }

    @Test
    void erasingTwiceHasTheEffectOfErasingOnce() {
        store().complete(lease(), RECEIPT);
        store().erase(record);

        assertThat(leavingUntouched(() -> store().erase(record))).isEqualTo(ok());
    }

    @Test
    void whatIsNotSettledHasNothingToErase() {
        Lease lease = lease();
        assertThat(leavingUntouched(() -> store().erase(record))).isEqualTo(lost(RecordState.PENDING));

        store().fail(lease, Duration.ZERO);
        assertThat(leavingUntouched(() -> store().erase(record))).isEqualTo(lost(RecordState.FAILED));
    }

    @Test
    void whereThereIsNoRecordNoneIsMade() {
        assertThat(leavingUntouched(() -> store().erase(record))).isEqualTo(lost(RecordState.ABSENT));
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
