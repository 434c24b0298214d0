package io.idem.consumer.autoconfigure;

import static io.idem.internal.Durations.longer;
import static io.idem.internal.Durations.shorter;

import io.idem.ExecutionPolicy;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.DirectCallPolicy;
import io.idem.consumer.KeySource;
import io.idem.consumer.MissingKeyPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.consumer}, which all listeners share.
 *
 * @param retention how long a consumer's settled record is kept; longer than the latest redelivery, redrive or rewind that is
 *     allowed; default idem.retention
 * @param retryHorizon how long after its first delivery a message may come again, by redelivery, dead-letter redrive or rewind; a
 *     listener that forgets sooner ends the start; default none, which compares nothing
 * @param missingKey what happens to a message without a key
 * @param keySources where the key is looked for, in this order; default headers
 * @param trustTenant whether the tenant header is believed
 * @param directCalls what happens to calls of listener methods that are not deliveries
 * @param inPlaceWait how long a delivery waits for another owner before it is handed back to the broker; default 10 s
 * @param propagatingTemplates whether the auto-configured KafkaTemplate is a PropagatingKafkaTemplate
 * @param replyHeaders whether replies of listeners, those of @SendTo too, carry a key derived from their request's, with tenant and root
 */
@ConfigurationProperties("idem.consumer")
record IdemConsumerProperties(
        @Nullable Duration retention,
        @Nullable Duration retryHorizon,
        @DefaultValue("dead-letter") MissingKeyPolicy missingKey,
        @Nullable List<KeySource> keySources,
        @DefaultValue("true") boolean trustTenant,
        @DefaultValue("refuse") DirectCallPolicy directCalls,
        @Nullable Duration inPlaceWait,
        @DefaultValue("true") boolean propagatingTemplates,
        @DefaultValue("false") boolean replyHeaders) {

    /**
     * Where every listener starts from.
     *
     * @param longestHold how long a delivery may be kept unacknowledged beyond its wait in place
     */
    ConsumerSettings settings(ExecutionPolicy base, Duration longestHold) {
        ExecutionPolicy policy = retention == null ? base : base.withRetention(retention);
        Duration wait = Objects.requireNonNullElse(inPlaceWait, ConsumerSettings.DEFAULT_IN_PLACE_WAIT);
        Duration hold = shorter(longestHold, ConsumerSettings.DEFAULT_HOLD);
        return new ConsumerSettings(
                policy,
                missingKey,
                Objects.requireNonNullElse(keySources, ConsumerSettings.DEFAULT_KEY_SOURCES),
                trustTenant,
                directCalls,
                wait,
                longer(hold, wait));
    }
}
