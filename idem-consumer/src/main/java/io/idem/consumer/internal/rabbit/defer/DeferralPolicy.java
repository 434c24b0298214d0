package io.idem.consumer.internal.rabbit.defer;

import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.rabbit.DeferralSettings;
import io.idem.consumer.rabbit.DeferralStrategy;
import io.idem.consumer.rabbit.DeliveryLimits;
import org.jspecify.annotations.Nullable;

/**
 * Decides where deferred messages of one container wait. Only messages whose next try is due at a known time have a
 * choice: the others wait for the store or for an operator, and moving whole queues around would not help. Thread-safe.
 */
public record DeferralPolicy(
        DeferralSettings settings, @Nullable DelayQueues delayQueues, DeliveryLimits limits) {

    /**
     * Takes a message over into a delay queue, if messages of its scope wait there. Blocks until the broker has
     * confirmed.
     *
     * @return whether a copy of it is durable there, so that it may be acknowledged; if not, it has to wait in place
     */
    boolean takeOver(Delivery delivery, DeliveryDecision.Defer deferral) {
        return delayQueues != null
                && !deferral.retryAfter().isZero()
                && settings.of(deferral.scope()) == DeferralStrategy.DELAY_QUEUE
                && !delivery.message().stopping()
                && delayQueues.takeOver(delivery);
    }
}
