package io.idem.internal.method;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.scheduling.support.CronExpression;

class FireTimesTest {

    private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");

    private static FireTimes cron(String expression) {
        return new FireTimes.Cron(CronExpression.parse(expression), ZoneOffset.UTC);
    }

    @ParameterizedTest
    @CsvSource({
        // On time, late, and a few moments early: timers and clocks are not exact.
        "0 0 2 * * *, 2026-11-27T02:00:00Z, 2026-11-27T02:00:00Z",
        "0 0 2 * * *, 2026-11-27T02:00:00.007Z, 2026-11-27T02:00:00Z",
        "0 0 2 * * *, 2026-11-27T01:59:58Z, 2026-11-27T02:00:00Z",
        "0 0 2 * * *, 2026-11-27T23:00:00Z, 2026-11-27T02:00:00Z",
        "0 0 2 * * *, 2026-11-27T01:58:00Z, 2026-11-26T02:00:00Z",
        // Short distances leave less room for early calls.
        "*/10 * * * * *, 2026-11-27T12:00:09.5Z, 2026-11-27T12:00:10Z",
        "*/10 * * * * *, 2026-11-27T12:00:08.5Z, 2026-11-27T12:00:00Z",
        // Long and uneven distances.
        "0 30 4 1 * *, 2026-11-27T12:00:00Z, 2026-11-01T04:30:00Z",
        "0 0 0 29 2 *, 2026-11-27T12:00:00Z, 2024-02-29T00:00:00Z",
        "* * 2 * * *, 2026-11-27T12:00:00Z, 2026-11-27T02:59:59Z",
        "0 0 9 * * MON-FRI, 2026-11-29T12:00:00Z, 2026-11-27T09:00:00Z",
        "@hourly, 2026-11-27T12:34:56Z, 2026-11-27T12:00:00Z"
    })
    void aCallBelongsToTheNearestTimeOfTheCronExpression(String expression, Instant now, Instant expected) {
        assertThat(cron(expression).current(now)).contains(expected);
    }

    @Test
    void timesFollowTheZoneOfTheSchedule() {
        FireTimes berlin = new FireTimes.Cron(CronExpression.parse("0 0 2 * * *"), ZoneId.of("Europe/Berlin"));

        assertThat(berlin.current(Instant.parse("2026-07-01T12:00:00Z")))
                .contains(Instant.parse("2026-07-01T00:00:00Z"));
        assertThat(berlin.current(NOON)).contains(Instant.parse("2026-11-27T01:00:00Z"));
    }

    @Test
    void aDateThatNeverComesHasNoTime() {
        assertThat(cron("0 0 0 31 2 *").current(NOON)).isEmpty();
    }

    @Test
    void allInstancesBetweenTwoTimesAgree() {
        FireTimes hourly = cron("0 17 * * * *");
        Random random = new Random(23);

        assertThat(Stream.generate(() -> NOON.plusSeconds(17 * 60).plusMillis(random.nextInt(3_500_000)))
                        .limit(1_000)
                        .map(now -> hourly.current(now).orElseThrow()))
                .containsOnly(NOON.plusSeconds(17 * 60));
    }

    @Test
    void aRateDividesTimeIntoPeriodsOfItsLength() {
        FireTimes quarters = new FireTimes.Rate(Duration.ofMinutes(15));

        assertThat(quarters.current(NOON)).contains(NOON);
        assertThat(quarters.current(NOON.plusSeconds(899))).contains(NOON);
        assertThat(quarters.current(NOON.plusSeconds(900))).contains(NOON.plusSeconds(900));
    }

    @Test
    void ofSeveralSchedulesTheLatestTimeCounts() {
        FireTimes both = new FireTimes.AnyOf(List.of(cron("0 0 2 * * *"), cron("0 0 11 * * *")));

        assertThat(both.current(NOON)).contains(NOON.minusSeconds(3600));
        assertThat(new FireTimes.AnyOf(List.of()).current(NOON)).isEmpty();
    }
}
