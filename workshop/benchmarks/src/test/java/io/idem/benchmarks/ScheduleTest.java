package io.idem.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.benchmarks.report.Figures;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    private static final Suite STEADY = new Planned("steady", 60, 3);
    private static final Suite NOISY = new Planned("noisy", 30, Suite.EVERY_ROUND);

    @Test
    void whatIsSettledIsNotMeasuredAgain() {
        Schedule schedule = new Schedule(List.of(STEADY, NOISY), 5);

        assertThat(schedule.round(3, new Random(1))).containsExactlyInAnyOrder(STEADY, NOISY);
        assertThat(schedule.round(4, new Random(1))).containsExactly(NOISY);
    }

    @Test
    void theAnnouncedTimeIsThatOfAllRoundsAndTheStart() {
        assertThat(new Schedule(List.of(STEADY, NOISY), 5).minutes()).isEqualTo(6);
        assertThat(new Schedule(List.of(STEADY), 1).minutes()).isEqualTo(2);
    }

    @Test
    void whatIsLeftIsToldByThePaceSoFar() {
        Progress progress = new Progress(180);

        assertThat(progress.minutesLeft()).isEqualTo(3);
        progress.done(60, 120);
        assertThat(progress.minutesLeft()).isEqualTo(4);
    }

    private record Planned(String name, int seconds, int enoughRounds) implements Suite {

        @Override
        public void round(Figures figures, Random order) {}
    }
}
