package io.idem.test.contract;

import static io.idem.RecordState.ABSENT;
import static io.idem.RecordState.COMPLETED;
import static io.idem.RecordState.FAILED;
import static io.idem.RecordState.PENDING;
import static io.idem.test.contract.Call.COMPLETE;
import static io.idem.test.contract.Call.ERASE;
import static io.idem.test.contract.Call.FAIL;
import static io.idem.test.contract.Call.complete;
import static io.idem.test.contract.Call.reject;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.RecordSnapshot;
import io.idem.StoredResult;

/** The rules of ERASE, by which an operator removes results without letting the work run again. */
abstract class EraseSection extends StoreSection {

    final Rule aLateRepetitionOfTheCompletionDoesNotBringItBack =
            () -> granted().then(COMPLETE, ERASE).unchanged(ok(StoredResult.OMITTED), COMPLETE);

    final Rule anErasedReasonIsGoneAndTheWorkStaysRejected = () ->
            granted().then(reject("account 4711 is closed")).gets(ok(), ERASE).isRejected("");

    final Rule theFingerprintIsStillChecked =
            () -> hundred().then(COMPLETE, ERASE).isMismatch();

    final Rule workWithoutAResultIsLeftAsItIs =
            () -> granted().then(complete(StoredResult.NONE)).unchanged(ok(), ERASE);

    final Rule erasingTwiceHasTheEffectOfErasingOnce =
            () -> granted().then(COMPLETE, ERASE).unchanged(ok(), ERASE);

    final Rule whatIsNotSettledHasNothingToErase =
            () -> granted().unchanged(lost(PENDING), ERASE).then(FAIL).unchanged(lost(FAILED), ERASE);

    final Rule theRecordExpiresWhenItWouldHave = () -> granted()
            .then(COMPLETE)
            .after(NEARLY_RETENTION)
            .then(ERASE)
            .is(COMPLETED)
            .after(SLACK)
            .isGone();

    final Rule anErasedResultIsGoneAndItsDuplicatesAreStillNotRun = () -> {
        Grant grant = granted().then(COMPLETE);
        RecordSnapshot before = snapshot();

        grant.gets(ok(), ERASE).replays(StoredResult.OMITTED);

        RecordSnapshot after = snapshot();
        assertThat(after.result()).isEqualTo(StoredResult.OMITTED);
        assertThat(after).usingRecursiveComparison().ignoringFields("result").isEqualTo(before);
    };

    final Rule whereThereIsNoRecordNoneIsMade = () -> {
        assertThat(leavingUntouched(() -> store().erase(record))).isEqualTo(lost(ABSENT));
    };
}
