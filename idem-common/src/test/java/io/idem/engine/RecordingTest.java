package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyEvent;
import io.idem.Lease;
import io.idem.Outcome;
import io.idem.Outcome.Obstacle;
import io.idem.RecordState;
import io.idem.StoredResult;
import io.idem.UnreadableRecordException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Recording an effect that is durable, against all odds. */
class RecordingTest extends ExecutorFixture {

    private static final Duration FORGOTTEN = Duration.ofHours(24);
    private static final StoredResult OTHERS = StoredResult.of("text", "other".getBytes(StandardCharsets.UTF_8));

    private static Outcome<String> again(Outcome<String> outcome) {
        return ((Outcome.Unrecorded<String>) outcome).again().get();
    }

    private static Obstacle why(Outcome<String> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Unrecorded.class);
        return ((Outcome.Unrecorded<String>) outcome).why();
    }

    private Outcome<String> runForgotten() throws Exception {
        return run(context -> {
            scripted.advance(FORGOTTEN);
            return done();
        });
    }

    @Test
    void aCompletionThatIsNotAnsweredIsTriedAgain() throws Exception {
        scripted.fail("complete", ScriptedStore.silence()).fail("complete", ScriptedStore.silence());

        Outcome<String> first = run(context -> done());
        Outcome<String> second = again(first);

        assertThat(why(first)).isInstanceOf(Obstacle.StoreSilent.class);
        assertThat(why(second)).isInstanceOf(Obstacle.StoreSilent.class);
        assertThat(again(second)).isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
        assertThat(scripted.calls()).doesNotContain("fail");
    }

    @Test
    void aCompletionWhoseAnswerWasLostIsRecognised() throws Exception {
        scripted.loseAnswerTo("complete");

        assertThat(again(run(context -> done()))).isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
        assertThat(eventsOf(IdempotencyEvent.DoubleEffectSuspected.class)).isEmpty();
    }

    @Test
    void aStoreThatFailsInAWayOfItsOwnDoesNotTurnTheEffectIntoAFailure() throws Exception {
        scripted.fail("complete", new IllegalStateException("bug"));

        Outcome<String> outcome = run(context -> done());

        assertThat(why(outcome))
                .isInstanceOfSatisfying(
                        Obstacle.StoreSilent.class,
                        silent -> assertThat(silent.cause()).hasRootCauseMessage("bug"));
        assertThat(again(outcome)).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void anEffectThatSomebodyElseRecordedMeanwhileIsSuspectedToBeDouble() throws Exception {
        Outcome<String> outcome = run(context -> {
            scripted.memory().complete(takenOver(), OTHERS);
            return done();
        });

        assertThat(outcome).isEqualTo(new Outcome.Superseded<>("charged", OTHERS));
        assertThat(eventsOf(IdempotencyEvent.DoubleEffectSuspected.class)).hasSize(1);
    }

    @Test
    void workThatSentItsMessageBackIsNotSaidToHaveNoEffectIfItsRecordWasTaken() throws Exception {
        Outcome<String> outcome = run(context -> {
            context.publications().again();
            Lease unused = takenOver();
            return done();
        });

        assertThat(outcome).isEqualTo(new Outcome.Released<>("charged", true));
        assertThat(eventsOf(IdempotencyEvent.RecordLost.class)).hasSize(1);
        assertThat(eventsOf(IdempotencyEvent.LeaseLost.class)).isEmpty();
    }

    @Test
    void aRecordThatWasForgottenIsRestored() throws Exception {
        Outcome<String> outcome = runForgotten();

        assertThat(why(outcome)).isEqualTo(new Obstacle.RecordLost(RecordState.ABSENT));
        assertThat(eventsOf(IdempotencyEvent.RecordLost.class)).hasSize(1);
        assertThat(again(outcome)).isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
        assertThat(run(context -> done())).isEqualTo(new Outcome.Replayed<>(RECEIPT));
    }

    @Test
    void aRecordThatWasTakenIsRestoredOnceItIsFree() throws Exception {
        Lease[] other = new Lease[1];
        Outcome<String> outcome = run(context -> {
            other[0] = takenOver();
            return done();
        });

        assertThat(why(outcome)).isEqualTo(new Obstacle.RecordLost(RecordState.PENDING));
        Outcome<String> stillTaken = again(outcome);
        assertThat(why(stillTaken)).isEqualTo(new Obstacle.RecordLost(RecordState.PENDING));
        scripted.memory().fail(other[0], Duration.ZERO);
        assertThat(again(stillTaken)).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void aRecordCompletedByAnotherOwnerBeforeItsRestoreIsSuspectedDouble() throws Exception {
        Outcome<String> outcome = runForgotten();
        scripted.memory().complete(someoneElsesLease(), OTHERS);

        assertThat(again(outcome)).isEqualTo(new Outcome.Superseded<>("charged", OTHERS));
        assertThat(eventsOf(IdempotencyEvent.DoubleEffectSuspected.class)).hasSize(1);
    }

    @Test
    void aRecordThatSomebodyElseRejectedStaysLost() throws Exception {
        Outcome<String> outcome = runForgotten();
        scripted.memory().reject(someoneElsesLease(), "no");

        assertThat(why(again(outcome))).isEqualTo(new Obstacle.RecordLost(RecordState.REJECTED));
    }

    @Test
    void aRestoringAcquireWhoseAnswerWasLostRecognisesItself() throws Exception {
        Outcome<String> outcome = runForgotten();
        scripted.loseAnswerTo("acquire");

        Outcome<String> silent = again(outcome);

        assertThat(why(silent)).isInstanceOf(Obstacle.StoreSilent.class);
        assertThat(again(silent)).isInstanceOf(Outcome.Executed.class);
        assertThat(record().attempts()).isOne();
    }

    @Test
    void aRestoringCompletionWhoseAnswerWasLostIsNotTakenForSomebodyElses() throws Exception {
        Outcome<String> outcome = runForgotten();
        scripted.loseAnswerTo("complete");

        Outcome<String> silent = again(outcome);

        assertThat(again(silent)).isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
        assertThat(eventsOf(IdempotencyEvent.DoubleEffectSuspected.class)).isEmpty();
    }

    @Test
    void aRestoredRecordHasAGreaterFenceThanTheLostOne() throws Exception {
        long[] fence = new long[1];
        Outcome<String> outcome = run(context -> {
            fence[0] = context.fence();
            scripted.advance(FORGOTTEN);
            return done();
        });
        again(outcome);

        assertThat(record().fence()).isGreaterThan(fence[0]);
    }

    @Test
    void aRecordThatWasOverwrittenBySomethingElseIsLostAndNotAFailure() throws Exception {
        UnreadableRecordException foreign = new UnreadableRecordException(operation.record(), "5 bytes");
        scripted.fail("complete", foreign);

        Outcome<String> outcome = run(context -> done());
        scripted.fail("acquire", foreign);
        Outcome<String> stillThere = again(outcome);

        assertThat(why(outcome)).isEqualTo(new Obstacle.RecordLost(RecordState.ABSENT));
        assertThat(why(stillThere)).isEqualTo(new Obstacle.RecordLost(RecordState.ABSENT));
        assertThat(scripted.calls()).doesNotContain("fail");
        assertThat(foreign).hasMessageContaining("left untouched").hasMessageNotContaining("not run");
    }

    @Test
    void anInterruptedThreadStillTriesAgain() throws Exception {
        scripted.fail("complete", ScriptedStore.silence());
        Outcome<String> outcome = run(context -> done());
        boolean[] interrupted = new boolean[1];
        scripted.before(
                "complete", () -> interrupted[0] = Thread.currentThread().isInterrupted());
        Thread.currentThread().interrupt();

        Outcome<String> recorded = again(outcome);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(recorded).isInstanceOf(Outcome.Executed.class);
        assertThat(interrupted[0]).isFalse();
    }
}
