package io.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecutionPolicyTest {

    @Test
    void theDefaultsAreThoseOfTheProtocol() {
        assertThat(ExecutionPolicy.defaults())
                .isEqualTo(new ExecutionPolicy(
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(3),
                        Duration.ofHours(24),
                        0));
    }

    @ParameterizedTest
    @CsvSource({
        "lease, PT0.099S, PT0.03S, PT0.01S, PT24H, 0",
        "lease, PT2562047788015215H, PT10S, PT3S, PT24H, 0",
        "retention, PT30S, PT10S, PT3S, P36526D, 0",
        "retention, PT30S, PT10S, PT3S, PT2562047788015215H, 0",
        "margin, PT30S, PT10S, PT2562047788015215H, PT24H, 0",
        "renewEvery, PT30S, PT2562047788015215H, PT3S, PT24H, 0",
        "renewEvery, PT30S, PT0S, PT3S, PT24H, 0",
        "renewEvery, PT30S, PT15.001S, PT3S, PT24H, 0",
        "margin, PT30S, PT10S, PT20S, PT24H, 0",
        "margin, PT30S, PT10S, PT-1S, PT24H, 0",
        "retention, PT30S, PT10S, PT3S, PT29S, 0",
        "maxAttempts, PT30S, PT10S, PT3S, PT24H, -1",
        "maxAttempts, PT30S, PT10S, PT3S, PT24H, 65536",
    })
    void durationsThatDoNotFitTogetherAreNamed(
            String name, Duration lease, Duration renewEvery, Duration margin, Duration retention, int attempts) {
        assertThatThrownBy(() -> new ExecutionPolicy(lease, renewEvery, margin, retention, attempts))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(name + " ");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.1S, PT0.05S, PT0S, PT0.1S, 0",
        "PT30S, PT15S, PT14.999S, PT30S, 65535",
    })
    void valuesAtTheirLimitsAreAllowed(
            Duration lease, Duration renewEvery, Duration margin, Duration retention, int attempts) {
        assertThat(new ExecutionPolicy(lease, renewEvery, margin, retention, attempts)
                        .withRetention(Duration.ofDays(1))
                        .retention())
                .isEqualTo(Duration.ofDays(1));
    }

    @Test
    void aRestMayLastAsLongAsTheRecordAndNoLonger() {
        ExecutionPolicy hour =
                ExecutionPolicy.of(Duration.ofSeconds(30), Duration.ofHours(1)).withMaxAttempts(5);
        AttemptPolicy rests = AttemptPolicy.DEFAULT.withBackoff(
                new Backoff(Duration.ofHours(1), 1, Duration.ofHours(1), 0, new Random(0)));

        assertThat(hour.withAttempts(rests).attempts()).isEqualTo(rests);
        assertThatThrownBy(() -> hour.withRetention(Duration.ofMinutes(59)).withAttempts(rests))
                .hasMessageStartingWith("backoff.longest ");
    }
}
