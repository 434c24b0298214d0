package io.idem.consumer.autoconfigure;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.kafka.KafkaSettings;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.consumer.kafka}.
 *
 * @param redeliveryDelay longest pause of the partition of a record in progress before the record is polled again; default 1 s
 * @param deadLetter where records go that will never run; by default the container's own error handler decides
 */
@ConfigurationProperties("idem.consumer.kafka")
record IdemKafkaProperties(
        @Nullable Duration redeliveryDelay, @DefaultValue DeadLetter deadLetter) {

    KafkaSettings settings() {
        try {
            return new KafkaSettings(
                    Objects.requireNonNullElse(redeliveryDelay, KafkaSettings.DEFAULT_REDELIVERY_DELAY),
                    deadLetter.topicSuffix());
        } catch (IllegalArgumentException invalid) {
            throw new ListenerConfigurationException(
                    String.valueOf(invalid.getMessage()), "Correct the setting or remove it", invalid);
        }
    }

    /**
     * Topics to which idem publishes dead letters and whose confirm it awaits before it acknowledges.
     *
     * @param topicSuffix what is put behind the name of the topic that the record came from, for example -dlt
     */
    record DeadLetter(@Nullable String topicSuffix) {}
}
