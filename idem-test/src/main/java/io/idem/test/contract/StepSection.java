package io.idem.test.contract;

import static io.idem.RecordState.ABSENT;
import static io.idem.RecordState.COMPLETED;
import static io.idem.RecordState.FAILED;
import static io.idem.RecordState.PENDING;
import static io.idem.test.contract.Call.COMPLETE;
import static io.idem.test.contract.Call.ERASE;
import static io.idem.test.contract.Call.FAIL;
import static io.idem.test.contract.Call.FORCE_COMPLETION;
import static io.idem.test.contract.Call.REJECT;
import static io.idem.test.contract.Call.RELEASE;
import static io.idem.test.contract.Call.RENEW;
import static io.idem.test.contract.Call.REOPEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** The rules of REMEMBER and RECALL, which keep the steps of a record for later attempts, and of reading them. */
abstract class StepSection extends StoreSection {

    static final Call RECALL = grant -> grant.store().update(new RecordUpdate.Recall(grant.lease()));
    static final Call READ = grant -> grant.store().steps(grant.lease().record());
    private static final StoreAnswer NO_STEPS = new StoreAnswer.Recalled(RememberedSteps.NONE);
    private static final Doing BEGIN_CHARGE = new Doing("charge", Kind.BEGUN, StoredResult.NONE, 0);
    private static final Doing CHARGE = done("charge", RECEIPT);
    private static final Doing ORDER = done("order", OTHER_RECEIPT);
    private static final Doing LABEL = done("label", StoredResult.NONE);
    private static final Doing BAIT = done(
            "charge",
            StoredResult.of(
                    "json", "\u0001\u0005order0000000\0\0\0\0order 1 json e30=".getBytes(StandardCharsets.ISO_8859_1)));

    /**
     * A step. As a call it is remembered by a grant; the first grant of a story began the life of the record.
     *
     * @param attempt the number of the grant that did it in its story; 0 for the one that is asked
     */
    record Doing(String id, Kind kind, StoredResult result, int attempt) implements Call {

        @Override
        public Object answer(Grant grant) {
            return remembered(grant, grant.fences().get(0));
        }

        private StoreAnswer remembered(Grant grant, long life) {
            return grant.store().update(new RecordUpdate.Remember(grant.lease(), life, by(grant)));
        }

        RememberedStep by(Grant grant) {
            long fence = attempt == 0 ? grant.fence() : grant.fences().get(attempt - 1);
            return new RememberedStep(id, kind, fence, result);
        }

        Doing of(int number) {
            return new Doing(id, kind, result, number);
        }
    }

    private static Doing done(String id, StoredResult result) {
        return new Doing(id, Kind.DONE, result, 0);
    }

    final Rule aNewRecordHasNoSteps = () -> granted().gets(NO_STEPS, RECALL);

    final Rule afterTheEndOfAnAttemptNothingIsRemembered = () -> granted()
            .then(FAIL)
            .unchanged(lost(FAILED), CHARGE)
            .next()
            .then(COMPLETE)
            .unchanged(lost(COMPLETED, RECEIPT), ORDER);

    final Rule theFirstResultOfAStepCounts =
            () -> assertKept(charged -> charged.gets(ok(), done("charge", OTHER_RECEIPT)));

    final Rule stepsLiveAsLongAsARenewedRecord = () -> assertKept(charged -> charged.after(NEARLY_RETENTION)
            .then(RENEW)
            .after(NEARLY_RETENTION)
            .then(RENEW)
            .after(NEARLY_RETENTION));

    final Rule stepsAreKeptFromFailureToFailure = () -> assertKept(charged -> charged.then(FAIL)
            .after(NEARLY_RETENTION)
            .followedBy(FAIL)
            .after(NEARLY_RETENTION)
            .followedBy(FAIL)
            .next());

    final Rule rejectedWorkGoesOnBehindItsStepsWhenItIsReopened = () -> assertKept(charged -> charged.then(REJECT)
            .after(NEARLY_RETENTION)
            .then(REOPEN)
            .after(NEARLY_RETENTION)
            .next());

    final Rule aStaleOwnersCompletionForgetsNothing = () -> assertKept(charged -> {
        Grant second = charged.takeover();
        charged.then(COMPLETE);
        return second;
    });

    final Rule anOwnerWhoseLeaseHasEndedStillRemembersUntilItIsTaken =
            () -> granted().after(LEASE).gets(ok(), CHARGE).next().recalls(CHARGE.of(1));

    final Rule stepsExpireWithTheirRecord =
            () -> assertForgotten(charged -> charged.after(RETENTION).next());

    final Rule aTakeoverFindsNoStepsOfARecordThatHasExpired = () -> assertForgotten(
            charged -> charged.after(RETENTION.plus(SLACK)).next().takeover());

    final Rule aRecordThatIsGoneRemembersNothing = () ->
            granted().after(RETENTION).unchanged(lost(ABSENT), CHARGE).next().gets(NO_STEPS, RECALL);

    final Rule aCompletedRecordForgetsItsSteps =
            () -> assertForgotten(charged -> charged.then(COMPLETE, REOPEN).next());

    final Rule workThatIsRepeatedOnPurposeBeginsWithoutSteps = () ->
            assertForgotten(charged -> charged.then(completed(false), REOPEN).next());

    final Rule anOperatorWhoReleasesWorkKeepsItsStepsAndOneWhoCompletesItDoesNot =
            () -> assertForgotten(charged -> charged.then(RELEASE)
                    .next()
                    .recalls(CHARGE.of(1))
                    .then(FORCE_COMPLETION)
                    .fenced(1)
                    .then(REOPEN)
                    .next());

    /** Asserts that a story ends in an attempt which recalls the step "charge" of the first one. */
    private void assertKept(UnaryOperator<Grant> story) {
        story.apply(granted().then(CHARGE)).recalls(CHARGE.of(1));
    }

    /** Asserts that a story ends in an attempt which does not know the step "charge" of the first one. */
    private void assertForgotten(UnaryOperator<Grant> story) {
        story.apply(granted().then(CHARGE)).gets(NO_STEPS, RECALL);
    }

    private static Call completed(boolean forgetSteps) {
        return grant -> grant.store().update(new RecordUpdate.Complete(grant.lease(), RECEIPT, forgetSteps));
    }

    final Rule stepsOutliveTheAttemptThatDidThem =
            () -> granted().gets(ok(), CHARGE, ORDER).takeover().recalls(CHARGE.of(1), ORDER.of(1));

    final Rule laterAttemptsAddTheirSteps =
            () -> granted().then(CHARGE, FAIL).next().gets(ok(), LABEL).recalls(CHARGE.of(1), LABEL);

    final Rule aStepThatWasBegunMayBeDoneLater = () ->
            granted().then(BEGIN_CHARGE).recalls(BEGIN_CHARGE).then(CHARGE).knows(CHARGE);

    final Rule oneStepMayBeTheBeginningOfTheNameOfAnother = () -> {
        Doing[] steps = {CHARGE, done("charge#1", OTHER_RECEIPT), done("charge#12", RECEIPT)};
        granted().then(steps).recalls(steps);
    };

    final Rule aResultThatLooksLikeAnotherStepIsNone =
            () -> granted().then(BAIT, ORDER).recalls(BAIT, ORDER);

    final Rule sixtyFourStepsWithLongResultsAreKept = () -> {
        StoredResult result = StoredResult.of("raw", new byte[400]);
        Doing[] steps = IntStream.range(0, 64)
                .mapToObj(i -> done("step-" + "x".repeat(40) + "#" + i, result))
                .toArray(Doing[]::new);
        granted().then(steps).recalls(steps);
    };

    final Rule neitherAStrangerNorAnotherFenceRemembersOrReads =
            () -> granted().refusesOthers(CHARGE).refusesOthers(RECALL).gets(NO_STEPS, RECALL);

    final Rule anAttemptAtTheEndOfTheRetentionFindsTheStepsOfTheOnesBefore = () -> granted()
            .then(CHARGE, FAIL)
            .after(NEARLY_RETENTION)
            .next()
            .after(SLACK.multipliedBy(2))
            .recalls(CHARGE.of(1))
            .gets(ok(), ORDER)
            .after(RETENTION.minus(SLACK.multipliedBy(3)))
            .next()
            .recalls(CHARGE.of(1), ORDER.of(2));

    final Rule erasingPutsTheResultsOfStepsAwayAndTheyStillCountAsDone = () -> granted()
            .then(BEGIN_CHARGE, CHARGE, LABEL, REJECT)
            .gets(ok(), ERASE)
            .unchanged(ok(), ERASE)
            .then(REOPEN)
            .next()
            .recalls(BEGIN_CHARGE.of(1), done("charge", StoredResult.OMITTED).of(1), LABEL.of(1));

    final Rule stepsOfARecordThatWasLostAreReplaced = () -> granted()
            .then(grant -> CHARGE.remembered(grant, grant.fence() - 2), ORDER)
            .knows(ORDER);

    final Rule readingStepsDoesNotMakeThemLiveLonger = () -> granted()
            .then(CHARGE)
            .after(NEARLY_RETENTION)
            .shows(CHARGE)
            .after(SLACK)
            .gets(RememberedSteps.NONE, READ);

    final Rule thereAreNoStepsToReadBesideARecordThatIsCompletedOrNotThere = () -> {
        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);
        granted().then(CHARGE, completed(true)).gets(RememberedSteps.NONE, READ);
    };

    final Rule anybodyMayReadTheStepsOfARecord = () -> granted()
            .unchanged(RememberedSteps.NONE, READ)
            .then(BEGIN_CHARGE)
            .shows(BEGIN_CHARGE)
            .then(ORDER, FAIL)
            .next()
            .then(LABEL, REJECT)
            .shows(BEGIN_CHARGE.of(1), ORDER.of(1), LABEL);

    final Rule theRecordItselfStaysAsItIs = () -> {
        Grant grant = hundred();
        RecordSnapshot before = snapshot();

        grant.then(CHARGE);

        assertThat(snapshot()).isEqualTo(before);
    };

    final Rule rememberingTwiceHasTheEffectOfRememberingOnce = () -> {
        Grant grant = granted().then(BEGIN_CHARGE, CHARGE, ORDER);
        Object recalled = RECALL.answer(grant);

        grant.gets(ok(), BEGIN_CHARGE, CHARGE, ORDER).gets(recalled, RECALL);
    };

    final Rule anOwnerWhoseLeaseWasTakenRemembersNothing = () -> {
        Grant first = granted();
        Grant second = first.takeover().then(ORDER);

        first.unchanged(lost(PENDING), CHARGE);
        second.recalls(ORDER);
    };

    final Rule aStaleOwnerIsToldSoWhenItAsksForItsSteps = () -> {
        Grant first = granted().then(FAIL);
        Grant itsOwn = granted(first.request()).then(ORDER);
        first.unchanged(lost(PENDING), RECALL);

        Grant another = itsOwn.takeover();

        first.unchanged(lost(PENDING), RECALL);
        itsOwn.unchanged(lost(PENDING), RECALL);
        another.recalls(ORDER.of(1));
    };
}
