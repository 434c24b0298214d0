package io.idem.test.contract;

import static io.idem.Claim.GrantKind.RETRY;
import static io.idem.Claim.GrantKind.TAKEOVER;
import static io.idem.RecordState.ABSENT;
import static io.idem.RecordState.COMPLETED;
import static io.idem.RecordState.FAILED;
import static io.idem.RecordState.PENDING;
import static io.idem.test.contract.Call.COMPLETE;
import static io.idem.test.contract.Call.FAIL;
import static io.idem.test.contract.Call.FAIL_UNCOUNTED;
import static io.idem.test.contract.Call.REOPEN;
import static io.idem.test.contract.Call.fail;
import static java.time.Duration.ofHours;

import io.idem.Fingerprint;
import java.time.Duration;
import java.time.Instant;

/** The rules of FAIL, which releases the key for a retry. */
abstract class FailSection extends StoreSection {

    final Rule fenceAttemptsAndFingerprintAreKept =
            () -> hundred().gets(ok(), FAIL).isLeft(FAILED, 1).has(HUNDRED);

    final Rule aRepeatedFailureChangesNothing = () -> granted().then(FAIL).unchanged(ok(), fail(ofHours(1)));

    final Rule aDelayLongerThanTheRetentionKeepsTheRecord =
            () -> granted(request().retainedFor(LEASE))
                    .then(fail(ofHours(2)))
                    .after(ofHours(1))
                    .is(FAILED);

    final Rule aNegativeDelayIsNone = () -> granted().then(fail(ofHours(-1))).isGranted(RETRY, 2);

    final Rule aDelayThatEndedBeforeTimeIsCountedIsNone = () -> granted()
            .gets(ok(), fail(Duration.between(Instant.now(), Instant.MIN)))
            .isGranted(RETRY, 2);

    final Rule anOwnerWhoseLeaseWasTakenClearsNothing = () -> assertEndsNothingAfterATakeover(FAIL);

    final Rule whatIsCompletedIsNotCleared = () -> granted().then(COMPLETE).unchanged(lost(COMPLETED, RECEIPT), FAIL);

    final Rule anEarlierGrantThatFailedIsNotTheCurrentOne =
            () -> granted().then(FAIL).followedBy(FAIL).unchanged(lost(FAILED), FAIL);

    final Rule neitherAStrangerNorAnotherFenceClears = () -> granted().refusesOthers(FAIL);

    final Rule aTakeoverThatDoesNotCountIsLeftToTheNextGrant = () -> hundred()
            .takeover()
            .gets(ok(), FAIL_UNCOUNTED)
            .isLeft(PENDING, 1)
            .has(HUNDRED)
            .allowing(2)
            .isGranted(TAKEOVER, 2);

    final Rule reopenedWorkOfUnknownOutcomeStaysThatWhenItsTakeoverDoesNotCount = () -> hundred()
            .after(LEASE)
            .then(REOPEN)
            .next()
            .gets(ok(), FAIL_UNCOUNTED)
            .isLeft(PENDING, 0)
            .has(HUNDRED)
            .allowing(1)
            .isGranted(TAKEOVER, 1);

    final Rule noNumberOfAttemptsThatDoNotCountUsesUpTheAllowedOnes =
            () -> granted(request().limitedTo(2))
                    .then(FAIL_UNCOUNTED)
                    .followedBy(FAIL_UNCOUNTED)
                    .followedBy(FAIL)
                    .followedBy(FAIL_UNCOUNTED)
                    .followedBy(FAIL_UNCOUNTED)
                    .next()
                    .then(FAIL)
                    .isExhausted(2);

    final Rule aRecordThatIsGoneIsNotMadeAnew =
            () -> granted().after(RETENTION).gets(lost(ABSENT), FAIL).isGone();

    final Rule anAttemptThatDoesNotCountLeavesTheAttemptsOfBefore = () -> {
        hundred().then(FAIL_UNCOUNTED).isLeft(FAILED, 0).has(Fingerprint.NONE);
        hundred()
                .isLeft(PENDING, 1)
                .then(FAIL)
                .next()
                .gets(ok(), FAIL_UNCOUNTED)
                .isLeft(FAILED, 1)
                .has(HUNDRED)
                .unchanged(ok(), FAIL_UNCOUNTED)
                .isGranted(RETRY, 2);
    };

    final Rule anOwnerThatLeftATakeoverHasNoRights = () -> {
        Grant left = granted().takeover().then(FAIL_UNCOUNTED);
        left.unchanged(ok(), FAIL_UNCOUNTED).hasNoRights(lost(PENDING));
        Grant again = left.allowing(2).isGranted(TAKEOVER, 2);
        left.unchanged(lost(PENDING), FAIL_UNCOUNTED);
        again.gets(ok(), FAIL_UNCOUNTED).isGranted(TAKEOVER, 2);
    };

    final Rule anOwnerThatLeftATakeoverAndAsksAgainTakesOverAgain = () -> {
        Grant left = granted().takeover().then(FAIL_UNCOUNTED);
        left.grants(left.request(), TAKEOVER, 2);
    };

    final Rule anOwnerWhoseLeaseWasTakenTakesNoAttemptBack = () -> {
        Grant first = granted();
        Grant second = first.takeover();
        first.unchanged(lost(PENDING), FAIL_UNCOUNTED);
        second.then(COMPLETE);
        first.unchanged(lost(COMPLETED, RECEIPT), FAIL_UNCOUNTED);
        second.unchanged(lost(COMPLETED, RECEIPT), FAIL_UNCOUNTED);
    };
}
