package io.idem.test.contract;

import static io.idem.Claim.GrantKind.TAKEOVER;
import static io.idem.RecordState.ABSENT;
import static io.idem.RecordState.COMPLETED;
import static io.idem.RecordState.FAILED;
import static io.idem.RecordState.PENDING;
import static io.idem.RecordState.REJECTED;
import static io.idem.test.contract.Call.COMPLETE;
import static io.idem.test.contract.Call.FAIL;
import static io.idem.test.contract.Call.REJECT;
import static io.idem.test.contract.Call.RENEW;
import static io.idem.test.contract.Call.REOPEN;
import static java.time.Duration.ofMinutes;

import io.idem.StoreAnswer;
import java.time.Duration;

/** The rules of RENEW, which extends an owner's lease. */
abstract class RenewSection extends StoreSection {

    private static final Duration MOST_OF_THE_LEASE = LEASE.minusMinutes(2);

    final Rule aRenewedLeaseLastsItsFullDurationFromThen = () -> granted()
            .after(MOST_OF_THE_LEASE)
            .gets(ok(), RENEW)
            .after(MOST_OF_THE_LEASE)
            .isInProgress()
            .after(ofMinutes(2))
            .isGranted(TAKEOVER, 2);

    final Rule aLapsedLeaseThatNobodyTookIsRenewed =
            () -> granted().after(LEASE.multipliedBy(2)).gets(ok(), RENEW).isInProgress();

    final Rule aRenewalKeepsTheRecordForItsRetention = () -> granted()
            .after(NEARLY_RETENTION)
            .then(RENEW)
            .after(NEARLY_RETENTION)
            .isLeft(PENDING, 1);

    final Rule aTakenLeaseIsLost = () -> granted().after(LEASE).followedBy().unchanged(lost(PENDING), RENEW);

    final Rule anotherOwnersLeaseIsNotRenewed = () -> granted().refusesOthers(RENEW);

    final Rule aRecordThatIsGoneIsLost =
            () -> granted().after(RETENTION).gets(lost(ABSENT), RENEW).isGone();

    final Rule aGrantThatSomebodyElseEndedIsLost =
            () -> granted().after(LEASE).followedBy(COMPLETE).unchanged(lost(COMPLETED, RECEIPT), RENEW);

    final Rule aRenewalThatRacedItsOwnSettlementLostNothing = () -> granted()
            .then(FAIL)
            .unchanged(new StoreAnswer.AlreadySettled(FAILED), RENEW)
            .next()
            .then(COMPLETE)
            .unchanged(new StoreAnswer.AlreadySettled(COMPLETED), RENEW)
            .then(REOPEN)
            .next()
            .then(REJECT)
            .unchanged(new StoreAnswer.AlreadySettled(REJECTED), RENEW);
}
