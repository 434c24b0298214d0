package io.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
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
}
