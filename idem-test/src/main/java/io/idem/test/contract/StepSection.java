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
        assertThat(remember(first, first.fence(), done(first, "charge", RECEIPT)))
                .isEqualTo(ok());
        assertThat(remember(first, first.fence(), done(first, "order", OTHER_RECEIPT)))
                .isEqualTo(ok());

        Lease second = takeover();

        assertThat(recalled(second).steps())
                .containsExactlyInAnyOrder(done(first, "charge", RECEIPT), done(first, "order", OTHER_RECEIPT));
    }

    @Test
    void laterAttemptsAddTheirSteps() {
        Lease first = lease();
        remember(first, first.fence(), done(first, "charge", RECEIPT));
        store().fail(first, Duration.ZERO);
        Lease second = lease();
        RememberedSteps known = recalled(second);

        assertThat(remember(second, known.life(), done(second, "order", StoredResult.NONE)))
                .isEqualTo(ok());

        assertThat(recalled(second).steps())
                .containsExactlyInAnyOrder(done(first, "charge", RECEIPT), done(second, "order", StoredResult.NONE));
    }

    @Test
    void theRecordItselfStaysAsItIs() {
        Lease lease = granted(Request.of(record).fingerprinted(HUNDRED)).lease();
        RecordSnapshot before = snapshot();

        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));

        assertThat(snapshot()).isEqualTo(before);
    }

    @Test
    void rememberingTwiceHasTheEffectOfRememberingOnce() {
        Lease lease = lease();
        remember(lease, lease.fence(), begun(lease, "charge"));
        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));
        remember(lease, lease.fence(), done(lease, "order", OTHER_RECEIPT));
        List<RememberedStep> steps = recalled(lease).steps();

        assertThat(remember(lease, lease.fence(), begun(lease, "charge"))).isEqualTo(ok());
        assertThat(remember(lease, lease.fence(), done(lease, "charge", RECEIPT)))
                .isEqualTo(ok());
        assertThat(remember(lease, lease.fence(), done(lease, "order", OTHER_RECEIPT)))
                .isEqualTo(ok());

        assertThat(recalled(lease).steps()).isEqualTo(steps);
    }

    @Test
    void theFirstResultOfAStepCounts() {
        Lease lease = lease();
        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));

        assertThat(remember(lease, lease.fence(), done(lease, "charge", OTHER_RECEIPT)))
                .isEqualTo(ok());

        assertThat(recalled(lease).steps()).containsExactly(done(lease, "charge", RECEIPT));
    }

    @Test
    void aStepThatWasBegunMayBeDoneLater() {
        Lease lease = lease();
        remember(lease, lease.fence(), begun(lease, "charge"));
        assertThat(recalled(lease).steps()).containsExactly(begun(lease, "charge"));

        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));

        assertThat(recalled(lease).steps()).contains(done(lease, "charge", RECEIPT));
    }

    @Test
    void oneStepMayBeTheBeginningOfTheNameOfAnother() {
        Lease lease = lease();
        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));
        remember(lease, lease.fence(), done(lease, "charge#1", OTHER_RECEIPT));
        remember(lease, lease.fence(), done(lease, "charge#12", StoredResult.NONE));

        assertThat(recalled(lease).steps())
                .containsExactlyInAnyOrder(
                        done(lease, "charge", RECEIPT),
                        done(lease, "charge#1", OTHER_RECEIPT),
                        done(lease, "charge#12", StoredResult.NONE));
    }

    @Test
    void aResultThatLooksLikeAnotherStepIsNone() {
        Lease lease = lease();
        byte[] bait = "\u0001\u0005order0000000\0\0\0\0order 1 json e30=".getBytes(StandardCharsets.ISO_8859_1);
        remember(lease, lease.fence(), done(lease, "charge", StoredResult.of("json", bait)));

        remember(lease, lease.fence(), done(lease, "order", RECEIPT));

        assertThat(recalled(lease).steps())
                .containsExactlyInAnyOrder(
                        done(lease, "charge", StoredResult.of("json", bait)), done(lease, "order", RECEIPT));
    }

    @Test
    void sixtyFourStepsWithLongResultsAreKept() {
        Lease lease = lease();
        StoredResult result = StoredResult.of("raw", new byte[400]);
        for (int i = 0; i < 64; i++) {
            remember(lease, lease.fence(), done(lease, "step-" + "x".repeat(40) + "#" + i, result));
        }

        assertThat(recalled(lease).steps())
                .hasSize(64)
                .allSatisfy(step -> assertThat(step.result()).isEqualTo(result));
    }

    @Test
    void anOwnerWhoseLeaseWasTakenRemembersNothing() {
        Lease first = lease();
        Lease second = takeover();
        remember(second, second.fence(), done(second, "order", RECEIPT));

        assertThat(leavingUntouched(() -> remember(first, first.fence(), done(first, "charge", RECEIPT))))
                .isEqualTo(lost(RecordState.PENDING));
        assertThat(recalled(second).steps()).containsExactly(done(second, "order", RECEIPT));
    }

    @Test
    void aStaleOwnerIsToldSoWhenItAsksForItsSteps() {
        Request request = Request.of(record);
        Lease first = granted(request).lease();
        store().fail(first, Duration.ZERO);
        Lease itsOwn = granted(request).lease();
        remember(itsOwn, itsOwn.fence(), done(itsOwn, "order", RECEIPT));
        assertThat(itsOwn.owner()).isEqualTo(first.owner());
        assertStale(first);

        Lease another = takeover();

        assertStale(first);
        assertStale(itsOwn);
        assertThat(recalled(another).steps()).containsExactly(done(itsOwn, "order", RECEIPT));
    }

    /** Asserts that an owner reads no steps of its successor. */
    private void assertStale(Lease lease) {
        assertThat(leavingUntouched(() -> store().update(new RecordUpdate.Recall(lease))))
                .isEqualTo(lost(RecordState.PENDING));
    }

    @Test
    void anOwnerWhoseLeaseHasEndedStillRemembersUntilItIsTaken() {
        Lease lease = lease();
        advance(LEASE);

        assertThat(remember(lease, lease.fence(), done(lease, "charge", RECEIPT)))
                .isEqualTo(ok());

        assertThat(recalled(lease()).steps()).containsExactly(done(lease, "charge", RECEIPT));
    }

    @Test
    void neitherAStrangerNorAnotherFenceRemembersOrReads() {
        Lease lease = lease();
        Lease strange = withOwner(lease, stranger());
        Lease other = withFence(lease, lease.fence() + 2);

        assertThat(remember(strange, lease.fence(), done(lease, "charge", RECEIPT)))
                .isInstanceOf(StoreAnswer.Lost.class);
        assertThat(remember(other, lease.fence(), done(lease, "charge", RECEIPT)))
                .isInstanceOf(StoreAnswer.Lost.class);
        assertThat(store().update(new RecordUpdate.Recall(strange))).isInstanceOf(StoreAnswer.Lost.class);
        assertThat(store().update(new RecordUpdate.Recall(other))).isInstanceOf(StoreAnswer.Lost.class);
        assertThat(recalled(lease)).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void afterTheEndOfAnAttemptNothingIsRemembered() {
        Lease failed = lease();
        store().fail(failed, Duration.ZERO);
        assertThat(remember(failed, failed.fence(), done(failed, "charge", RECEIPT)))
                .isEqualTo(lost(RecordState.FAILED));

        Lease completed = lease();
        store().complete(completed, RECEIPT);
        assertThat(leavingUntouched(
                        () -> remember(completed, completed.fence(), done(completed, "charge", OTHER_RECEIPT))))
                .isEqualTo(new StoreAnswer.Lost(RecordState.COMPLETED, RECEIPT));
    }

    @Test
    void aRecordThatIsGoneRemembersNothing() {
        Lease lease = lease();
        advance(RETENTION);

        assertThat(remember(lease, lease.fence(), done(lease, "charge", RECEIPT)))
                .isEqualTo(lost(RecordState.ABSENT));
        assertThat(recalled(lease())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void stepsExpireWithTheirRecord() {
        Lease lease = lease();
        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));

        advance(RETENTION);

        assertThat(recalled(lease())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void anAttemptAtTheEndOfTheRetentionFindsTheStepsOfTheOnesBefore() {
        Lease first = lease();
        remember(first, first.fence(), done(first, "charge", RECEIPT));
        store().fail(first, Duration.ZERO);
        advance(RETENTION.minus(SLACK));
        Lease late = lease();
        advance(SLACK.multipliedBy(2));

        assertThat(recalled(late).steps()).containsExactly(done(first, "charge", RECEIPT));
        assertThat(remember(late, first.fence(), done(late, "order", RECEIPT))).isEqualTo(ok());
        advance(RETENTION.minus(SLACK.multipliedBy(3)));
        assertThat(recalled(lease()).steps())
                .containsExactlyInAnyOrder(done(first, "charge", RECEIPT), done(late, "order", RECEIPT));
    }

    @Test
    void aTakeoverFindsNoStepsOfARecordThatHasExpired() {
        Lease expired = lease();
        remember(expired, expired.fence(), done(expired, "charge", RECEIPT));
        advance(RETENTION.plus(SLACK));
        lease();

        assertThat(recalled(takeover())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void stepsLiveAsLongAsARenewedRecord() {
        Lease lease = lease();
        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));
        for (int i = 0; i < 3; i++) {
            advance(RETENTION.minus(SLACK));
            store().renew(lease);
        }

        assertThat(recalled(lease).steps()).containsExactly(done(lease, "charge", RECEIPT));
    }

    @Test
    void stepsAreKeptFromFailureToFailure() {
        Lease first = lease();
        remember(first, first.fence(), done(first, "charge", RECEIPT));
        store().fail(first, Duration.ZERO);
        for (int i = 0; i < 3; i++) {
            advance(RETENTION.minus(SLACK));
            store().fail(lease(), Duration.ZERO);
        }

        assertThat(recalled(lease()).steps()).containsExactly(done(first, "charge", RECEIPT));
    }

    @Test
    void aCompletedRecordForgetsItsSteps() {
        Lease lease = lease();
        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));
        store().complete(lease, RECEIPT);
        store().reopen(record, lease.fence(), RETENTION);

        assertThat(recalled(lease())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void aStaleOwnersCompletionForgetsNothing() {
        Lease first = lease();
        remember(first, first.fence(), done(first, "charge", RECEIPT));
        Lease second = takeover();

        store().complete(first, RECEIPT);

        assertThat(recalled(second).steps()).containsExactly(done(first, "charge", RECEIPT));
    }

    @Test
    void workThatIsRepeatedOnPurposeBeginsWithoutSteps() {
        Lease lease = lease();
        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));
        store().update(new RecordUpdate.Complete(lease, RECEIPT, false));

        store().reopen(record, lease.fence(), RETENTION);

        assertThat(recalled(lease())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void rejectedWorkGoesOnBehindItsStepsWhenItIsReopened() {
        Lease lease = lease();
        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));
        store().reject(lease, "no");
        advance(RETENTION.minus(SLACK));
        store().reopen(record, lease.fence(), RETENTION);
        advance(RETENTION.minus(SLACK));

        assertThat(recalled(lease()).steps()).containsExactly(done(lease, "charge", RECEIPT));
    }

    @Test
    void anOperatorWhoReleasesWorkKeepsItsStepsAndOneWhoCompletesItDoesNot() {
        Lease first = lease();
        remember(first, first.fence(), done(first, "charge", RECEIPT));
        store().force(record, first.fence(), ForcedEnd.FAILED, RETENTION);
        Lease second = lease();
        assertThat(recalled(second).steps()).containsExactly(done(first, "charge", RECEIPT));

        store().force(record, second.fence(), ForcedEnd.COMPLETED, RETENTION);
        store().reopen(record, second.fence() + 1, RETENTION);

        assertThat(recalled(lease())).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void erasingPutsTheResultsOfStepsAwayAndTheyStillCountAsDone() {
        Lease lease = lease();
        remember(lease, lease.fence(), begun(lease, "charge"));
        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));
        remember(lease, lease.fence(), done(lease, "order", StoredResult.NONE));
        store().reject(lease, "");

        assertThat(store().erase(record)).isEqualTo(ok());
        assertThat(leavingUntouched(() -> store().erase(record))).isEqualTo(ok());

        store().reopen(record, lease.fence(), RETENTION);
        assertThat(recalled(lease()).steps())
                .contains(done(lease, "charge", StoredResult.OMITTED), done(lease, "order", StoredResult.NONE))
                .noneMatch(step -> step.result().equals(RECEIPT));
    }

    @Test
    void stepsOfARecordThatWasLostAreReplaced() {
        Lease lease = lease();
        remember(lease, lease.fence() - 2, done(lease, "charge", RECEIPT));

        remember(lease, lease.fence(), done(lease, "order", OTHER_RECEIPT));

        assertThat(recalled(lease).steps()).contains(done(lease, "order", OTHER_RECEIPT));
    }

    @Test
    void anybodyMayReadTheStepsOfARecord() {
        Lease first = lease();
        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);
        remember(first, first.fence(), begun(first, "charge"));
        assertThat(store().steps(record))
                .isEqualTo(new RememberedSteps(first.fence(), List.of(begun(first, "charge"))));
        remember(first, first.fence(), done(first, "order", RECEIPT));
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
        Lease lease = lease();
        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));
        advance(RETENTION.minus(SLACK));
        assertThat(store().steps(record).steps()).containsExactly(done(lease, "charge", RECEIPT));

        advance(SLACK);

        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);
    }

    @Test
    void thereAreNoStepsToReadBesideARecordThatIsCompletedOrNotThere() {
        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);
        Lease lease = lease();
        remember(lease, lease.fence(), done(lease, "charge", RECEIPT));

        store().update(new RecordUpdate.Complete(lease, RECEIPT, true));

        assertThat(store().steps(record)).isEqualTo(RememberedSteps.NONE);
    }

    private StoreAnswer remember(Lease lease, long life, RememberedStep step) {
        return store().update(new RecordUpdate.Remember(lease, life, step));
    }

    private RememberedSteps recalled(Lease lease) {
        StoreAnswer answer = store().update(new RecordUpdate.Recall(lease));
        assertThat(answer).isInstanceOf(StoreAnswer.Recalled.class);
        return ((StoreAnswer.Recalled) answer).steps();
    }

    private static RememberedStep done(Lease lease, String id, StoredResult result) {
        return new RememberedStep(id, Kind.DONE, lease.fence(), result);
    }

    private static RememberedStep begun(Lease lease, String id) {
        return new RememberedStep(id, Kind.BEGUN, lease.fence(), StoredResult.NONE);
    }
}
