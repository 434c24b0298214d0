package io.idem.consumer.autoconfigure;

import static java.util.Objects.requireNonNullElse;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.OutageSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The settings under {@code idem.consumer.outage}, for the time while the store is silent.
 *
 * @param longestHold how long one RabbitMQ delivery is kept unacknowledged before it is handed back to the broker after all; well
 *     below the broker's consumer timeout (30 min). A delivery whose effect is durable but cannot be recorded is kept for as long, but
 *     not over 2 min, nor under idem.consumer.in-place-wait; one whose work published a message that the broker refuses is kept until
 *     its container stops; default 15 min
 */
@ConfigurationProperties("idem.consumer.outage")
record IdemOutageProperties(@Nullable Duration longestHold) {

    OutageSettings settings() {
        try {
            return new OutageSettings(
                    OutageSettings.DEFAULT_FIRST_PAUSE,
                    OutageSettings.DEFAULT_LONGEST_PAUSE,
                    requireNonNullElse(longestHold, OutageSettings.DEFAULT_LONGEST_HOLD));
        } catch (IllegalArgumentException invalid) {
            throw new ListenerConfigurationException(
                    String.valueOf(invalid.getMessage()), "Correct the setting or remove it", invalid);
        }
    }
}
