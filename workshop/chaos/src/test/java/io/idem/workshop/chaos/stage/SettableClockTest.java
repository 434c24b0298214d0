package io.idem.workshop.chaos.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests that a program uses the settable clock. */
class SettableClockTest {

    private static final Duration AHEAD = Duration.ofDays(10);

    @Test
    void aProgramSeesTheClockAsItWasSet() throws Exception {
        assumeThat(SettableClock.hindrance()).isEmpty();
        SettableClock clock = SettableClock.make();

        assertThat(timeOf(clock)).isBefore(Instant.now().plus(AHEAD));
        clock.shift(AHEAD.toMillis());
        assertThat(timeOf(clock)).isAfter(Instant.now().plus(AHEAD).minus(Duration.ofDays(1)));
    }

    private static Instant timeOf(SettableClock clock) throws Exception {
        ProcessBuilder date = new ProcessBuilder("date", "+%s");
        date.environment().putAll(clock.environment());
        return Instant.ofEpochSecond(Long.parseLong(
                new String(date.start().getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip()));
    }
}
