package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AttemptPolicy;
import io.idem.Backoff;
import io.idem.FailurePolicy;
import io.idem.IdempotencyEvent;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.ResultPolicy;
import io.idem.WorkResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How attempts end that do not simply succeed. */
class AttemptPolicyTest extends ExecutorFixture {

    private static final FailurePolicy REJECTING =
            FailurePolicy.RETRY_ALL.with(List.of(IllegalArgumentException.class), List.of());
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0, new Random(1));

    private Operation with(AttemptPolicy attempts) {
        return Operation.of(operation.record().key(), operation.record().scope(), POLICY.withAttempts(attempts));
    }

    private void failWith(AttemptPolicy policy, RuntimeException failure) {
        assertThatThrownBy(() -> executor.execute(with(policy), context -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }

    @Test
    void aFinalFailureRejectsTheRecordAndGoesOnUnchanged() throws Exception {
        failWith(AttemptPolicy.DEFAULT.withFailures(REJECTING), new NumberFormatException("no amount"));

        assertThat(record().state()).isEqualTo(RecordState.REJECTED);
        assertThat(run(context -> done()))
                .isEqualTo(new Outcome.Rejected<>("java.lang.NumberFormatException: no amount"));
    }

    @Test
    void anyOtherFailureMayBeRetried() {
        failWith(AttemptPolicy.DEFAULT.withFailures(REJECTING), new IllegalStateException("card service away"));

        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aFinalFailureOfAnOwnerWhoseWorkWasTakenOverRejectsNothing() {
        IllegalArgumentException failure = new IllegalArgumentException("too late");

        assertThatThrownBy(() -> executor.execute(with(AttemptPolicy.DEFAULT.withFailures(REJECTING)), context -> {
                    takenOver();
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        assertThat(eventsOf(IdempotencyEvent.LeaseLost.class)).hasSize(1);
    }

    @Test
    void aFailedAttemptRestsLongerEachTime() throws Exception {
        AttemptPolicy policy = AttemptPolicy.DEFAULT.withBackoff(BACKOFF);

        failWith(policy, new IllegalStateException("first"));
        assertThat(executor.execute(with(policy), context -> done()))
                .isEqualTo(new Outcome.NotYet<>(Duration.ofSeconds(1)));
        scripted.advance(Duration.ofSeconds(1));
        failWith(policy, new IllegalStateException("second"));

        assertThat(executor.execute(with(policy), context -> done()))
                .isEqualTo(new Outcome.NotYet<>(Duration.ofSeconds(2)));
        scripted.advance(Duration.ofSeconds(2));
        assertThat(executor.execute(with(policy), context -> done())).isInstanceOf(Outcome.Executed.class);
    }

    @Test
    void aReturnedValueMayMeanThatTheWorkIsToBeTriedAgain() throws Exception {
        AttemptPolicy policy = AttemptPolicy.DEFAULT
                .withBackoff(BACKOFF)
                .withResults(
                        value -> "charged".equals(value) ? ResultPolicy.Judgement.RETRY : ResultPolicy.Judgement.DONE);

        assertThat(executor.execute(with(policy), context -> done()))
                .isEqualTo(new Outcome.Released<>("charged", false));

        assertThat(executor.execute(with(policy), context -> done()))
                .isEqualTo(new Outcome.NotYet<>(Duration.ofSeconds(1)));
    }

    @Test
    void aReturnedValueMayMeanThatTheWorkIsNeverToBeTriedAgain() throws Exception {
        AttemptPolicy policy = AttemptPolicy.DEFAULT.withResults(
                value -> "declined".equals(value) ? ResultPolicy.Judgement.REJECT : ResultPolicy.Judgement.DONE);

        Outcome<Optional<String>> outcome =
                executor.execute(with(policy), context -> new WorkResult.Complete<>(Optional.of("declined"), RECEIPT));

        assertThat(outcome).isInstanceOf(Outcome.RejectedNow.class);
        assertThat(record().state()).isEqualTo(RecordState.REJECTED);
        assertThat(executor.execute(with(policy), context -> done())).isInstanceOf(Outcome.Rejected.class);
    }

    @Test
    void aValueThatTheJudgeChokesOnIsAFailureOfTheWork() {
        IllegalStateException choked = new IllegalStateException("choked");
        AttemptPolicy policy = AttemptPolicy.DEFAULT.withResults(value -> {
            throw choked;
        });

        assertThatThrownBy(() -> executor.execute(with(policy), context -> done()))
                .isSameAs(choked);

        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }
}
