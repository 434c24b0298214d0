package io.idem.consumer.internal.rabbit.defer;

import static io.idem.internal.Durations.shorter;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.rabbit.DeferralSettings;
import io.idem.consumer.rabbit.DeferralStrategy;
import io.idem.consumer.rabbit.DeliveryLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;

/**
 * Decides where deferred messages of one container wait. Only messages whose next try is due at a known time have a
 * choice: the others wait for the store or for an operator, and moving whole queues around would not help. Thread-safe.
 */
public record DeferralPolicy(
        DeferralSettings settings, @Nullable DelayQueues delayQueues, DeliveryLimits limits) {

    /**
     * Pause before a message goes back to a queue with a policy for delayed retries. Without such a policy, it keeps
     * messages from spinning.
     */
    static final Duration BROKER_PAUSE = Duration.ofSeconds(1);

    /**
     * Takes a message over into a delay queue, if messages of its scope wait there. Blocks until the broker has
     * confirmed.
     *
     * @return whether a copy of it is durable there, so that it may be acknowledged; if not, it has to wait in place
     */
    boolean takeOver(Delivery delivery, DeliveryDecision.Defer deferral) {
        return delayQueues != null
                && strategy(deferral) == DeferralStrategy.DELAY_QUEUE
                && !delivery.message().stopping()
                && delayQueues.takeOver(delivery);
    }

    /** Returns how long a message may wait on its delivering thread, within a limit. */
    Duration inPlace(DeliveredMessage message, DeliveryDecision.Defer deferral, Duration limit) {
        Message source = (Message) message.source();
        if (strategy(deferral) != DeferralStrategy.BROKER_DELAY || limits.isLostByReturn(source)) {
            return limit;
        }
        boolean again = Boolean.TRUE.equals(source.getMessageProperties().isRedelivered());
        Duration pause = again ? BROKER_PAUSE : Duration.ZERO;
        return shorter(pause, limit);
    }

    private DeferralStrategy strategy(DeliveryDecision.Defer deferral) {
        return deferral.retryAfter().isZero() ? DeferralStrategy.WAIT_THEN_REDELIVER : settings.of(deferral.scope());
    }
}
