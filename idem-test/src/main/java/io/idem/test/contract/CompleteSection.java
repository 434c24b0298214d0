package io.idem.test.contract;

import static io.idem.RecordState.ABSENT;
import static io.idem.RecordState.COMPLETED;
import static io.idem.RecordState.FAILED;
import static io.idem.RecordState.REJECTED;
import static io.idem.test.contract.Call.COMPLETE;
import static io.idem.test.contract.Call.FAIL;
import static io.idem.test.contract.Call.REJECT;
import static io.idem.test.contract.Call.complete;

import io.idem.StoredResult;
import java.util.Random;
import java.util.stream.Stream;

/** The rules of COMPLETE, which stores the result for good. */
abstract class CompleteSection extends StoreSection {

    private static final int LARGE = 100_000;

    final Rule aRepeatedCompletionAnswersTheFirstResult =
            () -> granted().then(COMPLETE).unchanged(ok(RECEIPT), complete(OTHER_RECEIPT));

    final Rule aLapsedLeaseThatNobodyTookStillCompletes =
            () -> granted().after(LEASE.multipliedBy(3)).gets(ok(RECEIPT), COMPLETE);

    final Rule retentionCountsFromTheCompletion = () -> granted()
            .after(NEARLY_RETENTION)
            .then(COMPLETE)
            .after(NEARLY_RETENTION)
            .is(COMPLETED)
            .after(SLACK)
            .isGone();

    final Rule anOwnerWhoseLeaseWasTakenCompletesNothing = () -> assertEndsNothingAfterATakeover(COMPLETE);

    final Rule neitherAStrangerNorAnotherFenceCompletes = () -> granted().refusesOthers(COMPLETE);

    final Rule workThatWasGivenBackIsNotCompleted = () -> granted().then(FAIL).unchanged(lost(FAILED), COMPLETE);

    final Rule workThatWasRejectedIsNotCompleted = () -> granted().then(REJECT).unchanged(lost(REJECTED), COMPLETE);

    final Rule aRecordThatIsGoneIsNotMadeAnew =
            () -> granted().after(RETENTION).gets(lost(ABSENT), COMPLETE).isGone();

    final Rule workThatIsNotCompletedIsNotAnsweredAsIfItWere = () -> granted().isInProgress();

    final Rule theResultIsKeptToTheByte = () -> {
        byte[] large = new byte[LARGE];
        new Random(1).nextBytes(large);
        Stream.of(StoredResult.NONE, StoredResult.of("empty", new byte[0]), RECEIPT, StoredResult.of("a", large))
                .forEach(result -> granted(another())
                        .gets(ok(result), complete(result))
                        .replays(result)
                        .is(COMPLETED));
    };
}
