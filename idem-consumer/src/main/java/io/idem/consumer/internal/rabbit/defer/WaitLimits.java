package io.idem.consumer.internal.rabbit.defer;

import static io.idem.internal.Durations.longer;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.InPlaceWait;
import io.idem.consumer.internal.rabbit.message.DeliveryAttempts;
import io.idem.consumer.internal.rabbit.message.DeliveryCount;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Message;

/** Limits of the wait in place of a message that cannot run now, and that wait itself. Blocks the delivering thread. */
public record WaitLimits(IdempotentListeners listeners, DeferralPolicy policy) {

    private static final Logger LOG = LoggerFactory.getLogger(WaitLimits.class);

    /**
     * Hands a message to its listener, waits while it cannot run, and returns the last decision: still a deferral if the
     * message has to go back to the broker.
     */
    public DeliveryDecision decision(DeliveryAttempts attempts) throws Throwable {
        DeliveredMessage message = attempts.delivery().message();
        if (policy.limits().isFromStream((Message) message.source())) {
            return new DeliveryDecision.Stop(Deferrals.stream(attempts.listener(), message.origin()));
        }
        DeliveryDecision decision = attempts.next();
        if (!(decision instanceof DeliveryDecision.Defer first)) {
            return decision;
        }
        Optional<DeliveryDecision> moved = moved(attempts.delivery(), first);
        if (moved.isPresent()) {
            return moved.get();
        }
        InPlaceWait wait = new InPlaceWait(limit((Message) message.source()), message::stopping);
        while (decision instanceof DeliveryDecision.Defer deferral && wait.pause(deferral)) {
            decision = attempts.next();
        }
        if (decision instanceof DeliveryDecision.Defer last) {
            warnOfReturn(attempts.delivery(), last);
        }
        return decision;
    }

    /** Warns of a message that goes back to its queue, if it may expire there. */
    public void warnOfReturn(Delivery delivery, DeliveryDecision.Defer deferral) {
        if (policy.limits().isLostByReturn((Message) delivery.message().source())) {
            LOG.warn(
                    "{} goes back for scope \"{}\" and may be lost by its queue: {}",
                    delivery,
                    deferral.scope(),
                    deferral.why());
        }
    }

    /** Refuses messages of a stream, before any of them is worked on. */
    public void requireNoStream(List<Message> messages, String listener) {
        if (messages.stream().anyMatch(policy.limits()::isFromStream)) {
            throw Deferrals.stream(listener, "its queue");
        }
    }

    /**
     * Returns how long a message is kept at most before it is returned: by the number of its returns, and as long as any
     * message is ever held where its return would lose it.
     */
    public Duration limit(Message message) {
        Duration counted =
                DeliveryCount.of(message).waitLimit(first(listeners.runtime().settings()), longest());
        return policy.limits().isLostByReturn(message) ? longer(counted, longest()) : counted;
    }

    /**
     * Returns the wait before the first return. By default at least a lease, which outlasts an owner that died: the
     * queue may have a time to live by a policy, which AMQP does not tell.
     */
    public static Duration first(ConsumerSettings settings) {
        Duration lease = settings.policy().lease();
        boolean byDefault = settings.inPlaceWait().equals(ConsumerSettings.DEFAULT_IN_PLACE_WAIT);
        return byDefault ? longer(settings.inPlaceWait(), lease) : settings.inPlaceWait();
    }

    /** Returns how long any delivery is held at most. */
    public Duration longest() {
        return listeners.runtime().outages().longestHold();
    }

    /** Returns the decision on a message that waits in a delay queue now; empty if it has to wait in place. */
    public Optional<DeliveryDecision> moved(Delivery delivery, DeliveryDecision.Defer deferral) {
        if (!policy.takeOver(delivery, deferral)) {
            return Optional.empty();
        }
        LOG.debug("{} waits in a delay queue for scope \"{}\": {}", delivery, deferral.scope(), deferral.why());
        ConsumerEvents events = listeners.runtime().events();
        events.publish(new ConsumerEvent.Deferred(deferral.scope(), RabbitDelivery.TRANSPORT, deferral.retryAfter()));
        return Optional.of(new DeliveryDecision.Moved());
    }
}
