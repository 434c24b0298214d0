package io.idem.test.contract;

import static io.idem.RecordState.ABSENT;
import static io.idem.RecordState.COMPLETED;
import static io.idem.RecordState.FAILED;
import static io.idem.RecordState.REJECTED;
import static io.idem.test.contract.Call.COMPLETE;
import static io.idem.test.contract.Call.FAIL;
import static io.idem.test.contract.Call.REJECT;
import static io.idem.test.contract.Call.reject;

/** The rules of REJECT, which ends the work for good without a result. */
abstract class RejectSection extends StoreSection {

    final Rule theReasonIsKept =
            () -> granted().gets(ok(), reject("")).is(REJECTED).isRejected("");

    final Rule aRepeatedRejectionKeepsTheFirstReason = () ->
            granted().then(reject("first")).unchanged(ok(), reject("second")).isRejected("first");

    final Rule retentionCountsFromTheRejection = () -> granted()
            .after(NEARLY_RETENTION)
            .then(REJECT)
            .after(NEARLY_RETENTION)
            .is(REJECTED);

    final Rule anOwnerWhoseLeaseWasTakenRejectsNothing = () -> assertEndsNothingAfterATakeover(REJECT);

    final Rule anEarlierGrantIsNotTheOneThatWasRejected =
            () -> granted().after(LEASE).followedBy(reject("second")).unchanged(lost(REJECTED), reject("first"));

    final Rule neitherAStrangerNorAnotherFenceRejects = () -> granted().refusesOthers(REJECT);

    final Rule aRecordThatIsGoneIsNotMadeAnew =
            () -> granted().after(RETENTION).gets(lost(ABSENT), REJECT).isGone();

    final Rule whatIsSettledOtherwiseIsNotRejected = () -> granted()
            .then(FAIL)
            .unchanged(lost(FAILED), REJECT)
            .next()
            .then(COMPLETE)
            .unchanged(lost(COMPLETED, RECEIPT), REJECT);
}
