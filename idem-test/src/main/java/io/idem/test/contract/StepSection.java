package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Lease;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.RememberedSteps;
import io.idem.RememberedSteps.Kind;
import io.idem.RememberedSteps.RememberedStep;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of REMEMBER and RECALL, which keep the steps of a record for later attempts, and of reading them. */
abstract class StepSection extends StoreSection {

    @Test
    void aNewRecordHasNoSteps() {
        assertThat(recalled(lease())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void stepsOutliveTheAttemptThatDidThem() {
        Lease first = lease();
        assertThat(remember(first, done(first, "charge", RECEIPT))).isEqualTo(ok());
        assertThat(remember(first, done(first, "order", OTHER_RECEIPT))).isEqualTo(ok());

        Lease second = takeover();

        assertRecalled(second, done(first, "charge", RECEIPT), done(first, "order", OTHER_RECEIPT));
    }

    @Test
    void laterAttemptsAddTheirSteps() {
        Lease first = charged();
        store().fail(first, Duration.ZERO);
        Lease second = lease();
        RememberedSteps known = recalled(second);

        assertThat(remember(second, known.life(), done(second, "order", StoredResult.NONE)))
                .isEqualTo(ok());

        assertRecalled(second, done(first, "charge", RECEIPT), done(second, "order", StoredResult.NONE));
    }

    @Test
    void theRecordItselfStaysAsItIs() {
        Lease lease = granted(Request.of(record).fingerprinted(HUNDRED)).lease();
        RecordSnapshot before = snapshot();

        remember(lease, done(lease, "charge", RECEIPT));

        assertThat(snapshot()).isEqualTo(before);
    }

    @Test
    void rememberingTwiceHasTheEffectOfRememberingOnce() {
        Lease lease = lease();
        remember(lease, begun(lease, "charge"));
        remember(lease, done(lease, "charge", RECEIPT));
        remember(lease, done(lease, "order", OTHER_RECEIPT));
        List<RememberedStep> steps = recalled(lease).steps();

        assertThat(remember(lease, begun(lease, "charge"))).isEqualTo(ok());
        assertThat(remember(lease, done(lease, "charge", RECEIPT))).isEqualTo(ok());
        assertThat(remember(lease, done(lease, "order", OTHER_RECEIPT))).isEqualTo(ok());

        assertThat(recalled(lease).steps()).isEqualTo(steps);
    }

    @Test
    void theFirstResultOfAStepCounts() {
        Lease lease = charged();

        assertThat(remember(lease, done(lease, "charge", OTHER_RECEIPT))).isEqualTo(ok());

        assertRecalled(lease, done(lease, "charge", RECEIPT));
    }

    @Test
    void aStepThatWasBegunMayBeDoneLater() {
        Lease lease = lease();
        remember(lease, begun(lease, "charge"));
        assertRecalled(lease, begun(lease, "charge"));

        remember(lease, done(lease, "charge", RECEIPT));

        assertThat(recalled(lease).steps()).contains(done(lease, "charge", RECEIPT));
    }

    @Test
    void oneStepMayBeTheBeginningOfTheNameOfAnother() {
        Lease lease = charged();
        remember(lease, done(lease, "charge#1", OTHER_RECEIPT));
        remember(lease, done(lease, "charge#12", StoredResult.NONE));

        assertRecalled(
                lease,
                done(lease, "charge", RECEIPT),
                done(lease, "charge#1", OTHER_RECEIPT),
                done(lease, "charge#12", StoredResult.NONE));
    }

    @Test
    void aResultThatLooksLikeAnotherStepIsNone() {
        Lease lease = lease();
        byte[] bait = "\u0001\u0005order0000000\0\0\0\0order 1 json e30=".getBytes(StandardCharsets.ISO_8859_1);
        remember(lease, done(lease, "charge", StoredResult.of("json", bait)));

        remember(lease, done(lease, "order", RECEIPT));

        assertRecalled(lease, done(lease, "charge", StoredResult.of("json", bait)), done(lease, "order", RECEIPT));
    }

    @Test
    void sixtyFourStepsWithLongResultsAreKept() {
        Lease lease = lease();
        StoredResult result = StoredResult.of("raw", new byte[400]);
        for (int i = 0; i < 64; i++) {
            remember(lease, done(lease, "step-" + "x".repeat(40) + "#" + i, result));
        }

        assertThat(recalled(lease).steps())
                .hasSize(64)
                .allSatisfy(step -> assertThat(step.result()).isEqualTo(result));
    }

    @Test
    void anOwnerWhoseLeaseWasTakenRemembersNothing() {
        Lease first = lease();
        Lease second = takeover();
        remember(second, done(second, "order", RECEIPT));

        assertChangesNothing(lost(RecordState.PENDING), () -> remember(first, done(first, "charge", RECEIPT)));
        assertRecalled(second, done(second, "order", RECEIPT));
    }

    @Test
    void aStaleOwnerIsToldSoWhenItAsksForItsSteps() {
        Request request = Request.of(record);
        Lease first = granted(request).lease();
        store().fail(first, Duration.ZERO);
        Lease itsOwn = granted(request).lease();
        remember(itsOwn, done(itsOwn, "order", RECEIPT));
        assertThat(itsOwn.owner()).isEqualTo(first.owner());
        assertStale(first);

        Lease another = takeover();

        assertStale(first);
        assertStale(itsOwn);
        assertRecalled(another, done(itsOwn, "order", RECEIPT));
    }

    /** Asserts that an owner reads no steps of its successor. */
    private void assertStale(Lease lease) {
        assertChangesNothing(lost(RecordState.PENDING), () -> store().update(new RecordUpdate.Recall(lease)));
    }

    @Test
    void anOwnerWhoseLeaseHasEndedStillRemembersUntilItIsTaken() {
        Lease lease = lapsed();

        assertThat(remember(lease, done(lease, "charge", RECEIPT))).isEqualTo(ok());

        assertRecalled(lease(), done(lease, "charge", RECEIPT));
    }

    @Test
    void neitherAStrangerNorAnotherFenceRemembersOrReads() {
        Lease lease = lease();
        Lease strange = withOwner(lease, stranger());
        Lease other = withFence(lease, lease.fence() + 2);

        assertLost(() -> remember(strange, lease.fence(), done(lease, "charge", RECEIPT)));
        assertLost(() -> remember(other, lease.fence(), done(lease, "charge", RECEIPT)));
        assertLost(() -> store().update(new RecordUpdate.Recall(strange)));
        assertLost(() -> store().update(new RecordUpdate.Recall(other)));
        assertThat(recalled(lease)).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void afterTheEndOfAnAttemptNothingIsRemembered() {
        Lease failed = failed(Duration.ZERO);
        assertChangesNothing(lost(RecordState.FAILED), () -> remember(failed, done(failed, "charge", RECEIPT)));

        Lease completed = completed();
        assertChangesNothing(
                lost(RecordState.COMPLETED, RECEIPT),
                () -> remember(completed, done(completed, "charge", OTHER_RECEIPT)));
    }

    @Test
    void aRecordThatIsGoneRemembersNothing() {
        Lease lease = lease();
        advance(RETENTION);

        assertChangesNothing(lost(RecordState.ABSENT), () -> remember(lease, done(lease, "charge", RECEIPT)));
        assertThat(recalled(lease())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void stepsExpireWithTheirRecord() {
        charged();

        advance(RETENTION);

        assertThat(recalled(lease())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void anAttemptAtTheEndOfTheRetentionFindsTheStepsOfTheOnesBefore() {
        Lease first = charged();
        store().fail(first, Duration.ZERO);
        advance(RETENTION.minus(SLACK));
        Lease late = lease();
        advance(SLACK.multipliedBy(2));

        assertRecalled(late, done(first, "charge", RECEIPT));
        assertThat(remember(late, first.fence(), done(late, "order", RECEIPT))).isEqualTo(ok());
        advance(RETENTION.minus(SLACK.multipliedBy(3)));
        assertRecalled(lease(), done(first, "charge", RECEIPT), done(late, "order", RECEIPT));
    }

    @Test
    void aTakeoverFindsNoStepsOfARecordThatHasExpired() {
        charged();
        advance(RETENTION.plus(SLACK));
        lease();

        assertThat(recalled(takeover())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void stepsLiveAsLongAsARenewedRecord() {
        Lease lease = charged();
        for (int i = 0; i < 3; i++) {
            advance(RETENTION.minus(SLACK));
            store().renew(lease);
        }

        assertRecalled(lease, done(lease, "charge", RECEIPT));
    }

    @Test
    void stepsAreKeptFromFailureToFailure() {
        Lease first = charged();
        store().fail(first, Duration.ZERO);
        for (int i = 0; i < 3; i++) {
            advance(RETENTION.minus(SLACK));
            store().fail(lease(), Duration.ZERO);
        }

        assertRecalled(lease(), done(first, "charge", RECEIPT));
    }

    @Test
    void aCompletedRecordForgetsItsSteps() {
        Lease lease = charged();
        store().complete(lease, RECEIPT);
        store().reopen(record, lease.fence(), RETENTION);

        assertThat(recalled(lease())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void aStaleOwnersCompletionForgetsNothing() {
        Lease first = charged();
        Lease second = takeover();

        store().complete(first, RECEIPT);

        assertRecalled(second, done(first, "charge", RECEIPT));
    }

    @Test
    void workThatIsRepeatedOnPurposeBeginsWithoutSteps() {
        Lease lease = charged();
        store().update(new RecordUpdate.Complete(lease, RECEIPT, false));

        store().reopen(record, lease.fence(), RETENTION);

        assertThat(recalled(lease())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void rejectedWorkGoesOnBehindItsStepsWhenItIsReopened() {
        Lease lease = charged();
        store().reject(lease, "no");
        advance(RETENTION.minus(SLACK));
        store().reopen(record, lease.fence(), RETENTION);
        advance(RETENTION.minus(SLACK));

        assertRecalled(lease(), done(lease, "charge", RECEIPT));
    }

    @Test
    void anOperatorWhoReleasesWorkKeepsItsStepsAndOneWhoCompletesItDoesNot() {
        Lease first = charged();
        store().force(record, first.fence(), ForcedEnd.FAILED, RETENTION);
        Lease second = lease();
        assertRecalled(second, done(first, "charge", RECEIPT));

        store().force(record, second.fence(), ForcedEnd.COMPLETED, RETENTION);
        store().reopen(record, second.fence() + 1, RETENTION);

        assertThat(recalled(lease())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void erasingPutsTheResultsOfStepsAwayAndTheyStillCountAsDone() {
        Lease lease = lease();
        remember(lease, begun(lease, "charge"));
        remember(lease, done(lease, "charge", RECEIPT));
        remember(lease, done(lease, "order", StoredResult.NONE));
        store().reject(lease, "");

        assertThat(store().erase(record)).isEqualTo(ok());
        assertChangesNothing(ok(), () -> store().erase(record));

        store().reopen(record, lease.fence(), RETENTION);
        assertThat(recalled(lease()).steps())
                .contains(done(lease, "charge", StoredResult.OMITTED), done(lease, "order", StoredResult.NONE))
                .noneMatch(step -> step.result().equals(RECEIPT));
    }

    @Test
    void stepsOfARecordThatWasLostAreReplaced() {
        Lease lease = lease();
        remember(lease, lease.fence() - 2, done(lease, "charge", RECEIPT));

        remember(lease, done(lease, "order", OTHER_RECEIPT));

        assertThat(recalled(lease).steps()).contains(done(lease, "order", OTHER_RECEIPT));
    }

    @Test
    void anybodyMayReadTheStepsOfARecord() {
        Lease first = lease();
        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);
        remember(first, begun(first, "charge"));
        assertThat(store().steps(record))
                .isEqualTo(new RememberedSteps(first.fence(), List.of(begun(first, "charge"))));
        remember(first, done(first, "order", RECEIPT));
        store().fail(first, Duration.ZERO);
        Lease second = lease();
        remember(second, first.fence(), done(second, "label", OTHER_RECEIPT));
        store().reject(second, "no");

        RememberedSteps read = leavingUntouched(() -> store().steps(record));

        assertThat(read.life()).isEqualTo(first.fence());
        assertThat(read.steps())
                .containsExactlyInAnyOrder(
                        begun(first, "charge"), done(first, "order", RECEIPT), done(second, "label", OTHER_RECEIPT));
        assertThat(store().steps(record)).isEqualTo(read);
    }

    @Test
    void readingStepsDoesNotMakeThemLiveLonger() {
        Lease lease = charged();
        advance(RETENTION.minus(SLACK));
        assertThat(store().steps(record).steps()).containsExactly(done(lease, "charge", RECEIPT));

        advance(SLACK);

        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void thereAreNoStepsToReadBesideARecordThatIsCompletedOrNotThere() {
        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);
        Lease lease = charged();

        store().update(new RecordUpdate.Complete(lease, RECEIPT, true));

        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);
    }

    /** Returns the grant of a new owner that remembers the step "charge". */
    private Lease charged() {
        Lease lease = lease();
        remember(lease, done(lease, "charge", RECEIPT));
        return lease;
    }

    private StoreAnswer remember(Lease lease, RememberedStep step) {
        return remember(lease, lease.fence(), step);
    }

    private StoreAnswer remember(Lease lease, long life, RememberedStep step) {
        return store().update(new RecordUpdate.Remember(lease, life, step));
    }

    private RememberedSteps recalled(Lease lease) {
        StoreAnswer answer = store().update(new RecordUpdate.Recall(lease));
        assertThat(answer).isInstanceOf(StoreAnswer.Recalled.class);
        return ((StoreAnswer.Recalled) answer).steps();
    }

    private void assertRecalled(Lease lease, RememberedStep... expected) {
        assertThat(recalled(lease).steps()).containsExactlyInAnyOrder(expected);
    }

    private static RememberedStep done(Lease lease, String id, StoredResult result) {
        return new RememberedStep(id, Kind.DONE, lease.fence(), result);
    }

    private static RememberedStep begun(Lease lease, String id) {
        return new RememberedStep(id, Kind.BEGUN, lease.fence(), StoredResult.NONE);
    }
}
