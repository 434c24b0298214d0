package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.internal.kafka.message.ConsumerConfigs;
import io.idem.internal.PlainTime;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;

/**
 * The share of deliveries in the time within which a consumer has to poll again. A consumer that exceeds it loses its
 * partitions in the middle of its work.
 *
 * @param maxPollInterval the consumer's {@code max.poll.interval.ms}
 * @param maxPollRecords number of records that share it: {@code max.poll.records}
 */
public record PollBudget(Duration maxPollInterval, int maxPollRecords) {

    private static final Logger LOG = LoggerFactory.getLogger(PollBudget.class);

    static PollBudget of(AbstractMessageListenerContainer<?, ?> container) {
        ConsumerConfigs consumer = ConsumerConfigs.of(container);
        return new PollBudget(consumer.maxPollInterval(), consumer.maxPollRecords());
    }

    /**
     * Returns how long one delivery may wait for another owner on the consumer's thread: all of a poll together half of
     * the interval.
     */
    public Duration inPlace() {
        return maxPollInterval.dividedBy(2L * maxPollRecords);
    }

    /**
     * Returns two fifths of the interval, for an effect that cannot be recorded: meanwhile no other record of the poll
     * runs.
     */
    public Duration hold() {
        return maxPollInterval.multipliedBy(2).dividedBy(5);
    }

    /**
     * Logs which settings do not fit into the budget; the default wait was not chosen and is not reported. A
     * delivery whose wait does not fit is handed back, and its partition is paused.
     */
    void compare(String listener, ConsumerSettings settings) {
        if (settings.hold().compareTo(hold()) > 0) {
            LOG.warn(
                    "@IdempotentListener {}: a hold of {} does not fit into max.poll.interval.ms {}; an effect that cannot be recorded is"
                            + " held for {} and then handed back. Raise max.poll.interval.ms if it must be held longer",
                    listener,
                    PlainTime.text(settings.hold()),
                    maxPollInterval.toMillis(),
                    PlainTime.text(hold()));
        }
        if (!settings.inPlaceWait().equals(ConsumerSettings.DEFAULT_IN_PLACE_WAIT)
                && settings.inPlaceWait().compareTo(inPlace()) > 0) {
            LOG.info(
                    "@IdempotentListener {}: deliveries wait in place for at most {} instead of idem.consumer.in-place-wait {}, since"
                            + " max.poll.records {} share max.poll.interval.ms {}; then their partition is paused",
                    listener,
                    PlainTime.text(inPlace()),
                    PlainTime.text(settings.inPlaceWait()),
                    maxPollRecords,
                    maxPollInterval.toMillis());
        }
    }
}
