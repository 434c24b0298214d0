package io.idem.test.contract;

import static io.idem.Claim.GrantKind.RETRY;
import static io.idem.Claim.GrantKind.TAKEOVER;
import static io.idem.RecordState.ABSENT;
import static io.idem.RecordState.COMPLETED;
import static io.idem.RecordState.FAILED;
import static io.idem.RecordState.PENDING;
import static io.idem.RecordState.REJECTED;
import static io.idem.test.contract.Call.COMPLETE;
import static io.idem.test.contract.Call.FAIL;
import static io.idem.test.contract.Call.REJECT;
import static io.idem.test.contract.Call.REOPEN;
import static io.idem.test.contract.Call.fail;
import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.ScopePolicies;
import io.idem.operations.OperatorAct;
import io.idem.operations.RecordOperator;

/** The rules of REOPEN, by which an operator allows another attempt. */
abstract class ReopenSection extends StoreSection {

    final Rule completedWorkMayBeOpenedAgain =
            () -> assertFailed(granted().then(COMPLETE).gets(ok(), REOPEN));

    final Rule rejectedWorkMayBeOpenedAgain =
            () -> assertFailed(granted().then(REJECT).gets(ok(), REOPEN));

    final Rule exhaustedWorkMayBeOpenedAgain = () -> assertUnknown(
            granted(request().limitedTo(1)).after(LEASE).isExhausted(1).gets(ok(), REOPEN));

    final Rule workOfUnknownOutcomeStaysThatWhenItIsOpenedAgain =
            () -> assertUnknown(granted().takeover().after(LEASE).gets(ok(), REOPEN));

    final Rule aRepeatedReopeningOfWorkOfUnknownOutcomeChangesNothing =
            () -> granted().after(LEASE).then(REOPEN).after(SLACK).unchanged(ok(), REOPEN);

    final Rule theOwnerOfALapsedGrantHasNoRightsInTheReopenedRecord =
            () -> granted().after(LEASE).then(REOPEN).hasNoRights(lost(PENDING));

    final Rule aDelayEndsWithTheReopening =
            () -> assertFailed(granted().then(fail(ofHours(2))).gets(ok(), REOPEN));

    final Rule theFingerprintIsKept = () -> hundred().then(COMPLETE, REOPEN).isMismatch();

    final Rule aRepeatedReopeningChangesNothing =
            () -> granted().then(COMPLETE, REOPEN).after(SLACK).unchanged(ok(), REOPEN);

    final Rule aLiveLeaseIsNotTakenAway = () -> granted().unchanged(lost(PENDING), REOPEN);

    final Rule aRecordThatMovedOnSinceTheOperatorLookedStaysAsItIs =
            () -> granted().after(LEASE).followedBy(COMPLETE).unchanged(lost(COMPLETED, RECEIPT), REOPEN);

    final Rule theOwnerOfTheEndedGrantHasNoRightsInTheReopenedRecord =
            () -> granted().then(FAIL, REOPEN).hasNoRights(lost(FAILED));

    final Rule retentionCountsFromTheReopening = () -> granted()
            .then(COMPLETE)
            .after(NEARLY_RETENTION)
            .then(REOPEN)
            .after(NEARLY_RETENTION)
            .is(FAILED);

    private static void assertFailed(Grant reopened) {
        reopened.isLeft(FAILED, 0).allowing(1).isGranted(RETRY, 1);
    }

    private static void assertUnknown(Grant reopened) {
        reopened.isLeft(PENDING, 0).allowing(1).isGranted(TAKEOVER, 1);
    }

    final Rule anOperatorOpensAgainWhatFailedForGoodWithoutKnowingItsFence = () -> {
        Grant grant = granted().then(REJECT);
        ScopePolicies policies = ScopePolicies.same(ExecutionPolicy.of(LEASE, RETENTION));

        OperatorAct act = new RecordOperator(store(), policies, audited -> {})
                .act(OperatorAct.Action.REOPEN, record, "anna", "the account is open again");

        assertThat(act.found()).isEqualTo(REJECTED);
        assertThat(act.done()).isTrue();

        assertFailed(grant);
    };

    final Rule aTakeoverOfReopenedWorkIsOneAlsoWhenItIsAskedForAgain = () -> {
        Grant next = granted().after(LEASE).then(REOPEN).next().isReentrant();

        assertThat(granted(next.request()).claim().isTakeover()).isTrue();
    };

    final Rule aRecordThatIsGoneStaysGone = () -> {
        assertThat(store().reopen(record, 1, RETENTION)).isEqualTo(lost(ABSENT));
        assertThat(store().inspect(record)).isEmpty();
    };
}
