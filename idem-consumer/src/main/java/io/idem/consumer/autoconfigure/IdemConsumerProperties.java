package io.idem.consumer.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.GuardAction;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.DirectCallPolicy;
import io.idem.consumer.KeySource;
import io.idem.consumer.MissingKeyPolicy;
import io.idem.consumer.internal.definition.RetentionHorizon;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.consumer}, which all listeners share.
 *
 * @param retention how long a consumer's settled record is kept; longer than the latest redelivery, redrive or rewind
 *     that is allowed; default idem.retention
 * @param horizon how long after its first delivery a message may come again, by redelivery, dead-letter redrive or
 *     rewind; compared with the retention of every listener; default none, which compares nothing
 * @param horizonCheck what is done about a listener that forgets sooner; default: a warning
 * @param missingKey what happens to a message without a key
 * @param keySources where the key is looked for, in this order; default headers
 * @param trustTenant whether the tenant header is believed
 * @param directCalls what happens to calls of listener methods that are not deliveries
 * @param inPlaceWait how long a delivery waits for another owner before it is handed back to the broker; default 10 s
 * @param hold how long a delivery whose effect is durable but not recorded is kept unacknowledged while recording it is
 *     tried again; default 2 min
 */
@ConfigurationProperties("idem.consumer")
record IdemConsumerProperties(
        @Nullable Duration retention,
        @Nullable Duration horizon,
        @DefaultValue("warn") GuardAction horizonCheck,
        @DefaultValue("dead-letter") MissingKeyPolicy missingKey,
        @Nullable List<KeySource> keySources,
        @DefaultValue("true") boolean trustTenant,
        @DefaultValue("refuse") DirectCallPolicy directCalls,
        @Nullable Duration inPlaceWait,
        @Nullable Duration hold) {

    RetentionHorizon retentionHorizon() {
        return new RetentionHorizon(horizon, horizonCheck);
    }

    ConsumerSettings settings(ExecutionPolicy base) {
        ExecutionPolicy policy = retention == null ? base : base.withRetention(retention);
        return new ConsumerSettings(
                policy,
                missingKey,
                Objects.requireNonNullElse(keySources, ConsumerSettings.DEFAULT_KEY_SOURCES),
                trustTenant,
                directCalls,
                Objects.requireNonNullElse(inPlaceWait, ConsumerSettings.DEFAULT_IN_PLACE_WAIT),
                Objects.requireNonNullElse(hold, ConsumerSettings.DEFAULT_HOLD));
    }
}
