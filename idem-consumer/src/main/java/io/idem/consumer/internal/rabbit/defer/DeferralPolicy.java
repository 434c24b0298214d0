package io.idem.consumer.internal.rabbit.defer;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.rabbit.DeferralSettings;
import io.idem.consumer.rabbit.DeferralStrategy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;

/**
 * Place in which deferred messages of one container wait. Only those whose next try is due at a known time have a choice: without
 * one they wait for the store or for an operator, and moving whole queues around would not help. Thread-safe.
 */
public record DeferralPolicy(
        DeferralSettings settings, @Nullable DelayQueues delayQueues) {

    /** With a policy for delayed retries it does not matter; without one, it keeps messages from spinning. */
    static final Duration BROKER_PAUSE = Duration.ofSeconds(1);

    /** Every message waits on its delivering thread. */
    public static final DeferralPolicy IN_PLACE = new DeferralPolicy(DeferralSettings.DEFAULTS, null);

    /**
     * Takes a message over into a delay queue, if that is where messages of its scope wait. Blocks until the broker has
     * confirmed.
     *
     * @return whether a copy of it is durable there, so that it may be acknowledged; if not, it has to wait in place
     */
    boolean takeOver(DeliveredMessage message, DeliveryDecision.Defer deferral) {
        return delayQueues != null
                && strategy(deferral) == DeferralStrategy.DELAY_QUEUE
                && !message.stopping()
                && delayQueues.takeOver((Message) message.source(), message.origin());
    }

    /** How long a message may wait on its delivering thread, within a limit. */
    Duration inPlace(DeliveredMessage message, DeliveryDecision.Defer deferral, Duration limit) {
        if (strategy(deferral) != DeferralStrategy.BROKER_DELAY) {
            return limit;
        }
        Message source = (Message) message.source();
        boolean again = Boolean.TRUE.equals(source.getMessageProperties().isRedelivered());
        Duration pause = again ? BROKER_PAUSE : Duration.ZERO;
        return pause.compareTo(limit) < 0 ? pause : limit;
    }

    private DeferralStrategy strategy(DeliveryDecision.Defer deferral) {
        return deferral.retryAfter().isZero() ? DeferralStrategy.WAIT_THEN_REDELIVER : settings.of(deferral.scope());
    }
}
