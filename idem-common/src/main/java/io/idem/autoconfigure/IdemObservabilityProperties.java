package io.idem.autoconfigure;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.observability}.
 *
 * @param enabled whether there are meters and observations
 * @param staleAfter after how long a key that waits for another owner counts as stale
 * @param logFields whether lines that are logged while work runs have its key's digest, scope, fence and attempt
 * @param startUpReport whether the rules of every participant are logged once at the start
 */
@ConfigurationProperties("idem.observability")
record IdemObservabilityProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("5m") Duration staleAfter,
        @DefaultValue("true") boolean logFields,
        @DefaultValue("true") boolean startUpReport) {

    IdemObservabilityProperties {
        if (staleAfter.toMillis() < 1) {
            throw new InvalidSettingException(
                    "idem.observability.stale-after", staleAfter + " is shorter than a millisecond");
        }
    }
}
