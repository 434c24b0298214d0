package io.idem.consumer.kafka;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the Kafka transport.
 *
 * @param redeliveryDelay longest pause of the partition of a record in progress before the record is polled again;
 *     default {@link #DEFAULT_REDELIVERY_DELAY}
 * @param deadLetterTopicSuffix rejected records go to their topic's name plus this; null to hand them to the
 *     container's own error handler
 */
public record KafkaSettings(
        Duration redeliveryDelay, @Nullable String deadLetterTopicSuffix) {

    /** 1 s: soon after a short piece of work, rare enough for a long one. */
    public static final Duration DEFAULT_REDELIVERY_DELAY = Duration.ofSeconds(1);

    /**
     * Validates the settings.
     *
     * @throws IllegalArgumentException names the value and what it must be
     */
    public KafkaSettings {
        if (redeliveryDelay.toMillis() < 1) {
            throw new IllegalArgumentException("idem.consumer.kafka.redelivery-delay " + redeliveryDelay
                    + " is shorter than a millisecond; records in progress would be polled without a pause");
        }
        if (deadLetterTopicSuffix != null && deadLetterTopicSuffix.isBlank()) {
            throw new IllegalArgumentException("idem.consumer.kafka.dead-letter.topic-suffix is blank: dead letters"
                    + " would go back to their own topic; use a suffix such as \"-dlt\"");
        }
    }
}
