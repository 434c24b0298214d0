package io.idem.test.contract;

import static io.idem.Claim.GrantKind.RETRY;
import static io.idem.RecordState.ABSENT;
import static io.idem.RecordState.COMPLETED;
import static io.idem.RecordState.FAILED;
import static io.idem.RecordState.PENDING;
import static io.idem.RecordState.REJECTED;
import static io.idem.test.contract.Call.COMPLETE;
import static io.idem.test.contract.Call.FORCE_COMPLETION;
import static io.idem.test.contract.Call.REJECT;
import static io.idem.test.contract.Call.RELEASE;
import static io.idem.test.contract.Call.fail;
import static io.idem.test.contract.Call.force;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;

/** The rules of FORCE, by which an operator ends unsettled work in its owner's place. */
abstract class ForceSection extends StoreSection {

    final Rule aDelayEndsWithTheRelease =
            () -> granted().then(fail(LEASE)).gets(ok(), RELEASE).isGranted(RETRY, 2);

    final Rule aRepeatedReleaseChangesNothing = () -> granted().then(RELEASE).unchanged(ok(), RELEASE);

    final Rule aRepeatedCompletionChangesNothing =
            () -> granted().then(FORCE_COMPLETION).unchanged(ok(), FORCE_COMPLETION);

    final Rule whatIsSettledForGoodStaysSo =
            () -> granted().then(COMPLETE).unchanged(lost(COMPLETED, RECEIPT), RELEASE, FORCE_COMPLETION);

    final Rule rejectedWorkIsForReopeningAndNotForForce =
            () -> granted().then(REJECT).unchanged(lost(REJECTED), FORCE_COMPLETION);

    final Rule whatIsForcedIsKeptForTheRetentionThatItsOperatorGives =
            () -> granted().then(force(ForcedEnd.COMPLETED, LEASE)).after(LEASE).isGone();

    final Rule releasedWorkMayBeTriedAgainAtOnce =
            () -> hundred().then(RELEASE).has(HUNDRED).fenced(1).isGranted(RETRY, 2);

    final Rule failedWorkMayBeCompleted = () ->
            granted().then(fail(LEASE)).gets(ok(), FORCE_COMPLETION).fenced(1).replays(StoredResult.OMITTED);

    final Rule aReleaseIsNotTakenForOneOfAnEarlierFence =
            () -> granted().then(fail(LEASE)).fenced(-1).unchanged(lost(FAILED), RELEASE);

    final Rule workOfALivingOwnerMayBeReleasedAndIsNotItsOwnAnyMore = () ->
            granted().gets(ok(), RELEASE).hasNoRights(lost(FAILED)).fenced(1).isLeft(FAILED, 1);

    final Rule workOfALivingOwnerMayBeCompletedAndItsResultIsNotKept = () -> hundred()
            .gets(ok(), FORCE_COMPLETION)
            .is(COMPLETED)
            .has(HUNDRED)
            .hasNoRights(lost(COMPLETED, StoredResult.OMITTED))
            .fenced(1)
            .replays(StoredResult.OMITTED);

    final Rule anotherFenceThanTheOneThatWasSeenChangesNothing = () -> granted()
            .fenced(1)
            .unchanged(lost(PENDING), RELEASE, FORCE_COMPLETION)
            .fenced(-2)
            .unchanged(lost(PENDING), RELEASE, FORCE_COMPLETION);

    final Rule thereIsNothingToForceWithoutARecord = () -> {
        assertThat(store().force(record, 1, ForcedEnd.FAILED, RETENTION)).isEqualTo(lost(ABSENT));
        assertThat(store().inspect(record)).isEmpty();
    };
}
