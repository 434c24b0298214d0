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

import io.idem.Lease;
import io.idem.RecordSnapshot;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The rules of REMEMBER and RECALL, which keep the steps of a record for later attempts, and of reading them. */
abstract class StepSection extends StoreSection {

    private static final Call RECALL = (store, lease) -> store.update(new RecordUpdate.Recall(lease));
    private static final Doing BEGIN_CHARGE = new Doing("charge", Kind.BEGUN, StoredResult.NONE);
    private static final Doing CHARGE = done("charge", RECEIPT);
    private static final Doing ORDER = done("order", OTHER_RECEIPT);

    /** A step. As a call it is remembered by a grant, which began the life of the record. */
    private record Doing(String id, Kind kind, StoredResult result) implements Call {

        @Override
        public Object answer(IdempotencyStore store, Lease lease) {
            return store.update(new RecordUpdate.Remember(lease, lease.fence(), in(lease)));
        }

        private RememberedStep in(Lease lease) {
            return new RememberedStep(id, kind, lease.fence(), result);
        }

        RememberedStep by(Grant grant) {
            return in(grant.lease());
        }
    }

    private static Doing done(String id, StoredResult result) {
        return new Doing(id, Kind.DONE, result);
    }

    final Rule aNewRecordHasNoSteps = () -> assertNoSteps(granted());

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

    final Rule stepsExpireWithTheirRecord =
            () -> assertForgotten(charged -> charged.after(RETENTION).next());

    final Rule aTakeoverFindsNoStepsOfARecordThatHasExpired = () -> assertForgotten(
            charged -> charged.after(RETENTION.plus(SLACK)).next().takeover());

    final Rule aRecordThatIsGoneRemembersNothing = () -> assertNoSteps(
            granted().after(RETENTION).unchanged(lost(ABSENT), CHARGE).next());

    final Rule aCompletedRecordForgetsItsSteps =
            () -> assertForgotten(charged -> charged.then(COMPLETE, REOPEN).next());

    final Rule workThatIsRepeatedOnPurposeBeginsWithoutSteps = () -> assertForgotten(charged -> charged.then(
                    (store, lease) -> store.update(new RecordUpdate.Complete(lease, RECEIPT, false)), REOPEN)
            .next());

    /** Asserts that a story ends in an attempt which recalls the step "charge" of the first one. */
    private void assertKept(UnaryOperator<Grant> story) {
        Grant charged = granted().then(CHARGE);
        assertRecalled(story.apply(charged), CHARGE.by(charged));
    }

    /** Asserts that a story ends in an attempt which does not know the step "charge" of the first one. */
    private void assertForgotten(UnaryOperator<Grant> story) {
        assertNoSteps(story.apply(granted().then(CHARGE)));
    }

    @Test
    void stepsOutliveTheAttemptThatDidThem() {
        Grant first = granted().gets(ok(), CHARGE, ORDER);

        assertRecalled(first.takeover(), CHARGE.by(first), ORDER.by(first));
    }

    @Test
    void laterAttemptsAddTheirSteps() {
        Grant first = granted().then(CHARGE, FAIL);
        Grant second = first.next();
        RememberedStep label = done("label", StoredResult.NONE).by(second);

        second.gets(ok(), remember(recalled(second).life(), label));

        assertRecalled(second, CHARGE.by(first), label);
    }

    @Test
    void theRecordItselfStaysAsItIs() {
        Grant grant = hundred();
        RecordSnapshot before = snapshot();

        grant.then(CHARGE);

        assertThat(snapshot()).isEqualTo(before);
    }

    @Test
    void rememberingTwiceHasTheEffectOfRememberingOnce() {
        Grant grant = granted().then(BEGIN_CHARGE, CHARGE, ORDER);
        List<RememberedStep> steps = recalled(grant).steps();

        grant.gets(ok(), BEGIN_CHARGE, CHARGE, ORDER);

        assertThat(recalled(grant).steps()).isEqualTo(steps);
    }

    @Test
    void aStepThatWasBegunMayBeDoneLater() {
        Grant grant = granted().then(BEGIN_CHARGE);
        assertRecalled(grant, BEGIN_CHARGE.by(grant));

        grant.then(CHARGE);

        assertThat(recalled(grant).steps()).contains(CHARGE.by(grant));
    }

    @Test
    void oneStepMayBeTheBeginningOfTheNameOfAnother() {
        Grant grant = granted().then(CHARGE, done("charge#1", OTHER_RECEIPT), done("charge#12", RECEIPT));

        assertRecalled(
                grant,
                CHARGE.by(grant),
                done("charge#1", OTHER_RECEIPT).by(grant),
                done("charge#12", RECEIPT).by(grant));
    }

    @Test
    void aResultThatLooksLikeAnotherStepIsNone() {
        byte[] bait = "\u0001\u0005order0000000\0\0\0\0order 1 json e30=".getBytes(StandardCharsets.ISO_8859_1);
        StoredResult result = StoredResult.of("json", bait);

        Grant grant = granted().then(done("charge", result), ORDER);

        assertRecalled(grant, done("charge", result).by(grant), ORDER.by(grant));
    }

    @Test
    void sixtyFourStepsWithLongResultsAreKept() {
        Grant grant = granted();
        StoredResult result = StoredResult.of("raw", new byte[400]);
        for (int i = 0; i < 64; i++) {
            grant.then(done("step-" + "x".repeat(40) + "#" + i, result));
        }

        assertThat(recalled(grant).steps())
                .hasSize(64)
                .allSatisfy(step -> assertThat(step.result()).isEqualTo(result));
    }

    @Test
    void anOwnerWhoseLeaseWasTakenRemembersNothing() {
        Grant first = granted();
        Grant second = first.takeover().then(ORDER);

        first.unchanged(lost(PENDING), CHARGE);
        assertRecalled(second, ORDER.by(second));
    }

    @Test
    void aStaleOwnerIsToldSoWhenItAsksForItsSteps() {
        Grant first = granted().then(FAIL);
        Grant itsOwn = granted(first.request()).then(ORDER);
        first.unchanged(lost(PENDING), RECALL);

        Grant another = itsOwn.takeover();

        first.unchanged(lost(PENDING), RECALL);
        itsOwn.unchanged(lost(PENDING), RECALL);
        assertRecalled(another, ORDER.by(itsOwn));
    }

    @Test
    void anOwnerWhoseLeaseHasEndedStillRemembersUntilItIsTaken() {
        Grant grant = granted().after(LEASE).gets(ok(), CHARGE);

        assertRecalled(grant.next(), CHARGE.by(grant));
    }

    @Test
    void neitherAStrangerNorAnotherFenceRemembersOrReads() {
        Grant grant = granted();

        grant.refusesOthers(remember(grant.fence(), CHARGE.by(grant))).refusesOthers(RECALL);

        assertNoSteps(grant);
    }

    @Test
    void anAttemptAtTheEndOfTheRetentionFindsTheStepsOfTheOnesBefore() {
        Grant first = granted().then(CHARGE, FAIL).after(NEARLY_RETENTION);
        Grant late = first.next().after(SLACK.multipliedBy(2));

        assertRecalled(late, CHARGE.by(first));
        late.gets(ok(), remember(first.fence(), ORDER.by(late))).after(RETENTION.minus(SLACK.multipliedBy(3)));
        assertRecalled(late.next(), CHARGE.by(first), ORDER.by(late));
    }

    @Test
    void aStaleOwnersCompletionForgetsNothing() {
        Grant first = granted().then(CHARGE);
        Grant second = first.takeover();

        first.then(COMPLETE);

        assertRecalled(second, CHARGE.by(first));
    }

    @Test
    void anOperatorWhoReleasesWorkKeepsItsStepsAndOneWhoCompletesItDoesNot() {
        Grant first = granted().then(CHARGE, RELEASE);
        Grant second = first.next();
        assertRecalled(second, CHARGE.by(first));

        second.then(FORCE_COMPLETION).fenced(1).then(REOPEN);

        assertNoSteps(second.next());
    }

    @Test
    void erasingPutsTheResultsOfStepsAwayAndTheyStillCountAsDone() {
        Grant grant = granted()
                .then(BEGIN_CHARGE, CHARGE, done("order", StoredResult.NONE), REJECT)
                .gets(ok(), ERASE)
                .unchanged(ok(), ERASE)
                .then(REOPEN);

        assertThat(recalled(grant.next()).steps())
                .contains(
                        done("charge", StoredResult.OMITTED).by(grant),
                        done("order", StoredResult.NONE).by(grant))
                .noneMatch(step -> step.result().equals(RECEIPT));
    }

    @Test
    void stepsOfARecordThatWasLostAreReplaced() {
        Grant grant = granted();

        grant.then(remember(grant.fence() - 2, CHARGE.by(grant)), ORDER);

        assertThat(recalled(grant).steps()).contains(ORDER.by(grant));
    }

    @Test
    void anybodyMayReadTheStepsOfARecord() {
        Grant first = granted();
        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);
        RememberedStep begun = BEGIN_CHARGE.by(first);
        first.then(BEGIN_CHARGE);
        assertThat(store().steps(record)).isEqualTo(new RememberedSteps(first.fence(), List.of(begun)));
        Grant second = first.then(ORDER, FAIL).next();
        RememberedStep label = done("label", OTHER_RECEIPT).by(second);
        second.then(remember(first.fence(), label), REJECT);

        RememberedSteps read = leavingUntouched(() -> store().steps(record));

        assertThat(read.life()).isEqualTo(first.fence());
        assertThat(read.steps()).containsExactlyInAnyOrder(begun, ORDER.by(first), label);
        assertThat(store().steps(record)).isEqualTo(read);
    }

    @Test
    void readingStepsDoesNotMakeThemLiveLonger() {
        Grant grant = granted().then(CHARGE).after(NEARLY_RETENTION);
        assertThat(store().steps(record).steps()).containsExactly(CHARGE.by(grant));

        advance(SLACK);

        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void thereAreNoStepsToReadBesideARecordThatIsCompletedOrNotThere() {
        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);

        granted().then(CHARGE, (store, lease) -> store.update(new RecordUpdate.Complete(lease, RECEIPT, true)));

        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);
    }

    private RememberedSteps recalled(Grant grant) {
        Object answer = RECALL.answer(store(), grant.lease());
        assertThat(answer).isInstanceOf(StoreAnswer.Recalled.class);
        return ((StoreAnswer.Recalled) answer).steps();
    }

    private void assertRecalled(Grant grant, RememberedStep... expected) {
        assertThat(recalled(grant).steps()).containsExactlyInAnyOrder(expected);
    }

    private void assertNoSteps(Grant grant) {
        assertThat(recalled(grant)).isEqualTo(RememberedSteps.NONE);
    }

    private static Call remember(long life, RememberedStep step) {
        return (store, lease) -> store.update(new RecordUpdate.Remember(lease, life, step));
    }
}
