package io.idem.workshop.chaos.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that a stall is detected by the tick after it. */
class TicksTest {

    private final Ticks ticks = new Ticks(Duration.ofMillis(500), 0);

    @Test
    void ticksInTimeAreNotWorthALine() {
        assertThat(ticks.tick(millis(50))).isEmpty();
        assertThat(ticks.tick(millis(550))).isEmpty();
    }

    @Test
    void aLateTickTellsHowLongNothingHappened() {
        assertThat(ticks.tick(millis(1_200))).hasValue(1_200);
        assertThat(ticks.tick(millis(1_250))).isEmpty();
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
