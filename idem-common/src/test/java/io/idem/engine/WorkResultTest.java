package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Backoff;
import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.WorkResult;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

/** What a store cannot write is refused where it is said, and not together with the requests of others. */
class WorkResultTest extends ExecutorFixture {

    @Test
    void aDelayThatNoRecordCanTellIsAFailureOfTheWorkThatAskedForIt() {
        assertThatThrownBy(() -> run(context -> new WorkResult.Release<>("later", ChronoUnit.FOREVER.getDuration())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("delay", "WorkResult.Reject");

        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void theLongestDelayIsTaken() throws Exception {
        assertThat(run(context -> new WorkResult.Release<>("later", RecordUpdate.LONGEST_DELAY)))
                .isInstanceOf(Outcome.Released.class);
        assertThat(run(context -> done())).isInstanceOf(Outcome.NotYet.class);
    }

    @Test
    void aRequestToAStoreIsCheckedByItself() {
        Duration tooLong = RecordUpdate.LONGEST_DELAY.plusMillis(1);

        assertThatThrownBy(() -> new RecordUpdate.Fail(someoneElsesLease(), tooLong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delay");
    }

    @Test
    void anAttemptThatDoesNotCountHasNoDelay() {
        Duration delay = Duration.ofSeconds(1);

        assertThatThrownBy(() -> new WorkResult.Release<>("login", delay, "not entered", false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at once");
    }

    @Test
    void workThatWasNotEnteredFreesItsKeyAndDoesNotCount() throws Exception {
        assertThat(run(context -> WorkResult.Release.uncounted("login", "not entered")))
                .isEqualTo(new Outcome.Released<>("login", false));
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
        assertThat(record().attempts()).isZero();

        run(context -> new WorkResult.Release<>("later", Duration.ZERO));

        assertThat(record().attempts()).isOne();
    }

    @Test
    void workThatHasRunAStepCounts() throws Exception {
        run(context -> {
            context.step("charge", String.class, step -> "charged");
            return WorkResult.Release.uncounted("login", "not entered");
        });

        assertThat(record().attempts()).isOne();
    }

    @Test
    void laterAttemptsThatHaveRunAStepNeedNotCount() throws Exception {
        for (int i = 0; i < 3; i++) {
            run(context -> {
                assertThat(context.step("charge", String.class, step -> "in " + context.attempt()))
                        .isEqualTo("in 1");
                return WorkResult.Release.uncounted("login", "not entered");
            });
        }

        assertThat(record().attempts()).isOne();
    }

    @Test
    void aBackoffLongerThanAnyDelayIsRefused() {
        assertThatThrownBy(() -> Backoff.exponential(Duration.ofSeconds(1), ChronoUnit.FOREVER.getDuration()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("backoff.longest");
    }
}
