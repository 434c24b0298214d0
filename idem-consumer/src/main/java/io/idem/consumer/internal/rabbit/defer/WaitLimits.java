package io.idem.consumer.internal.rabbit.defer;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.InPlaceWait;
import io.idem.consumer.internal.rabbit.message.DeliveryAttempts;
import io.idem.consumer.internal.rabbit.message.DeliveryCount;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Message;

/** Limits of the wait in place of a message that cannot run now, and that wait itself. Blocks the delivering thread. */
public record WaitLimits(IdempotentListeners listeners, DeferralPolicy policy) {

    private static final Logger LOG = LoggerFactory.getLogger(WaitLimits.class);

    /** Waits, and returns the last decision: still a deferral if the message has to go back to the broker. */
    public DeliveryDecision outlast(DeliveryDecision.Defer first, DeliveryAttempts attempts) throws Throwable {
        DeliveredMessage message = attempts.delivery().message();
        Optional<DeliveryDecision> moved = moved(message, first);
        if (moved.isPresent()) {
            return moved.get();
        }
        InPlaceWait wait = new InPlaceWait(inPlace(message, first), message::stopping);
        DeliveryDecision decision = first;
        while (decision instanceof DeliveryDecision.Defer deferral && wait.pause(deferral)) {
            decision = attempts.next();
        }
        return decision;
    }

    /** Returns how long a message may wait on its delivering thread. */
    public Duration inPlace(DeliveredMessage message, DeliveryDecision.Defer deferral) {
        return policy.inPlace(message, deferral, limit(listeners, message));
    }

    /** Returns how long a message is kept at most before it is returned, by the number of its returns. */
    public static Duration limit(IdempotentListeners listeners, DeliveredMessage message) {
        return DeliveryCount.of((Message) message.source())
                .waitLimit(listeners.settings().inPlaceWait(), listeners.longestHold());
    }

    /** Returns the decision on a message that waits in a delay queue now; empty if it has to wait in place. */
    public Optional<DeliveryDecision> moved(DeliveredMessage message, DeliveryDecision.Defer deferral) {
        if (!policy.takeOver(message, deferral)) {
            return Optional.empty();
        }
        LOG.debug("{} waits in a delay queue for scope \"{}\": {}", message, deferral.scope(), deferral.why());
        listeners
                .events()
                .publish(new ConsumerEvent.Deferred(deferral.scope(), RabbitDelivery.TRANSPORT, deferral.retryAfter()));
        return Optional.of(new DeliveryDecision.Moved());
    }
}
