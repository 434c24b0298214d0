package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.InPlaceWait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Message;

/**
 * Settles deliveries by their last decision, by any settler. Thread-safe; blocks while a dead letter is confirmed.
 *
 * <p>A broker that does not take a dead letter answers at once, and would deliver its message again at once: the two
 * would spin, and a quorum queue drops a message that was returned too often. So a thread that can wait does so before
 * the message goes back.
 */
public record RabbitDecisionSettler(ConsumerEvents events, DeadLetters deadLetters) {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitDecisionSettler.class);

    /**
     * Settles a message.
     *
     * @param limit how long a dead letter that no queue takes is published again before its message goes back; zero on a
     *     thread that must not wait
     */
    public void settle(Delivery delivery, MessageSettler settler, DeliveryDecision decision, Duration limit)
            throws Exception {
        if (decision instanceof DeliveryDecision.Defer deferral) {
            defer(delivery, settler, deferral);
        } else if (decision instanceof DeliveryDecision.DeadLetter deadLetter) {
            deadLetter(delivery, settler, deadLetter, limit);
        } else if (ranInListener(decision)) {
            settler.finished();
        } else if (decision instanceof DeliveryDecision.Stop) {
            throw new IllegalStateException("A stop is the delivery hook's to carry out");
        } else {
            settler.acknowledge();
        }
    }

    /** Returns whether a message of a batch is simply to be acknowledged. */
    public static boolean isDone(DeliveryDecision decision) {
        return decision instanceof DeliveryDecision.Ran
                || decision instanceof DeliveryDecision.Duplicate
                || decision instanceof DeliveryDecision.Skipped;
    }

    private static boolean ranInListener(DeliveryDecision decision) {
        return decision instanceof DeliveryDecision.Ran
                || decision instanceof DeliveryDecision.Handed
                || decision instanceof DeliveryDecision.LeftOpen
                || decision instanceof DeliveryDecision.Failed
                || decision instanceof DeliveryDecision.HandedBack;
    }

    private void defer(Delivery delivery, MessageSettler settler, DeliveryDecision.Defer decision) throws Exception {
        LOG.debug("{} goes back to the broker for scope \"{}\": {}", delivery, decision.scope(), decision.why());
        events.publish(new ConsumerEvent.Deferred(decision.scope(), RabbitDelivery.TRANSPORT, decision.retryAfter()));
        settler.defer(decision);
    }

    private void deadLetter(
            Delivery delivery, MessageSettler settler, DeliveryDecision.DeadLetter decision, Duration limit)
            throws Exception {
        InPlaceWait wait = new InPlaceWait(limit, delivery.message()::stopping);
        Optional<DeliveryDecision.Defer> refused = tryDeadLetter(delivery, settler, decision);
        while (refused.isPresent() && wait.pause(refused.get())) {
            refused = tryDeadLetter(delivery, settler, decision);
        }
        if (refused.isPresent()) {
            defer(delivery, settler, refused.get());
        }
    }

    /**
     * Publishes a dead letter and settles its message. If no queue takes the letter, settles nothing and returns the
     * deferral.
     */
    public Optional<DeliveryDecision.Defer> tryDeadLetter(
            Delivery delivery, MessageSettler settler, DeliveryDecision.DeadLetter decision) throws Exception {
        DeadLetters.Result result = deadLetters.publish(delivery, decision);
        if (result == DeadLetters.Result.REFUSED) {
            String why = "its dead letter was not confirmed";
            return Optional.of(new DeliveryDecision.Defer(decision.scope(), Duration.ZERO, why));
        }
        LOG.warn("{} is a dead letter of scope \"{}\": {}", delivery, decision.scope(), decision.reason());
        events.publish(new ConsumerEvent.DeadLettered(decision.scope(), RabbitDelivery.TRANSPORT, decision.reason()));
        if (result == DeadLetters.Result.CONFIRMED) {
            settler.acknowledge();
        } else {
            warnOfReturn(delivery);
            settler.reject(decision);
        }
        return Optional.empty();
    }

    private static void warnOfReturn(Delivery delivery) {
        Message message = (Message) delivery.message().source();
        List<Map<String, ?>> deaths = message.getMessageProperties().getXDeathHeader();
        Map<String, String> earlier = Map.of("queue", delivery.message().origin(), "reason", "rejected");
        if (deaths != null && deaths.stream().anyMatch(death -> death.entrySet().containsAll(earlier.entrySet()))) {
            LOG.warn(
                    "{} was a dead letter of its queue before and came back. If its queue leads it back each time, set"
                            + " idem.consumer.rabbit.dead-letter.exchange and .routing-key to a queue in which it stays",
                    delivery);
        }
    }
}
