package io.idem.consumer.internal.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.StoredResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RecordHoldTest {

    private static final Outcome<String> EXECUTED = new Outcome.Executed<>("done", StoredResult.NONE);
    private static final Outcome.Obstacle UNCONFIRMED = new Outcome.Obstacle.Unconfirmed(new IOException("nack"));
    private static final Outcome.Obstacle LOST = new Outcome.Obstacle.RecordLost(RecordState.ABSENT);

    private final Deque<Outcome<String>> answers = new ArrayDeque<>();
    private int asked;

    private Outcome.Unrecorded<String> open(Outcome.Obstacle why) {
        return new Outcome.Unrecorded<>("done", why, () -> {
            asked++;
            return Objects.requireNonNull(answers.poll(), "asked too often");
        });
    }

    private static Outcome<String> hold(Duration limit, Outcome.Unrecorded<String> first) {
        return new RecordHold(limit, () -> false).recorded(first);
    }

    @Test
    void itAsksUntilTheEffectIsRecorded() {
        answers.addAll(List.of(open(UNCONFIRMED), EXECUTED));

        assertThat(hold(Duration.ofMinutes(1), open(UNCONFIRMED))).isEqualTo(EXECUTED);
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void itGivesUpAtItsLimit() {
        assertThat(hold(Duration.ZERO, open(UNCONFIRMED))).isInstanceOf(Outcome.Unrecorded.class);
        assertThat(asked).isZero();
    }

    @Test
    void itGivesUpWhenTheContainerStops() {
        assertThat(new RecordHold(Duration.ofMinutes(1), () -> true).recorded(open(UNCONFIRMED)))
                .isInstanceOf(Outcome.Unrecorded.class);
    }

    @Test
    void aLostRecordIsRestoredOnceWhateverTheLimit() {
        answers.add(EXECUTED);

        assertThat(hold(Duration.ZERO, open(LOST))).isEqualTo(EXECUTED);
    }

    @Test
    void aDurableEffectIsAcknowledgedWhenItsRecordCannotBeRestored() {
        answers.add(open(LOST));

        assertThat(hold(Duration.ofMinutes(1), open(LOST))).isInstanceOf(Outcome.Superseded.class);
        assertThat(asked).isEqualTo(1);
    }
}
