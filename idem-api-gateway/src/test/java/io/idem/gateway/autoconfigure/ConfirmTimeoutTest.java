package io.idem.gateway.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ConfigurationException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConfirmTimeoutTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    @Test
    void itIsFiveSecondsUnlessTheLeaseIsShort() {
        assertThat(ConfirmTimeout.of(null, LEASE)).isEqualTo(Duration.ofSeconds(5));
        assertThat(ConfirmTimeout.of(null, Duration.ofSeconds(3))).isEqualTo(Duration.ofMillis(1500));
    }

    @Test
    void itLeavesAThirdOfTheLeaseToTheStore() {
        assertThat(ConfirmTimeout.of(Duration.ofSeconds(20), LEASE)).isEqualTo(Duration.ofSeconds(20));
        assertThatThrownBy(() -> ConfirmTimeout.of(Duration.ofSeconds(21), LEASE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("idem.gateway.confirm-timeout");
        assertThatThrownBy(() -> ConfirmTimeout.of(Duration.ZERO, LEASE)).isInstanceOf(ConfigurationException.class);
    }
}
