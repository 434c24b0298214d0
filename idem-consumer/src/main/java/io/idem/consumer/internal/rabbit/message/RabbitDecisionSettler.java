package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.InPlaceWait;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles deliveries by their last verdict, whatever the way of settling is. Thread-safe; blocks while a dead letter is confirmed.
 *
 * <p>A broker that does not take a dead letter says so at once, and would hand its message over again at once: the two would spin,
 * and a quorum queue drops what was returned too often. So whoever can wait does so before the message goes back.
 */
public record RabbitDecisionSettler(ConsumerEvents events, DeadLetters deadLetters) {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitDecisionSettler.class);

    /** For threads that must not wait: a message whose dead letter nobody takes goes back, and its next delivery waits. */
    public void settle(Delivery delivery, MessageSettler settler, DeliveryDecision verdict) throws Exception {
        settle(delivery, settler, verdict, Duration.ZERO);
    }

    /**
     * Settles on the delivering thread.
     *
     * @param patience how long a dead letter that nobody takes is published again before its message goes back
     */
    public void settle(Delivery delivery, MessageSettler settler, DeliveryDecision verdict, Duration patience)
            throws Exception {
        if (verdict instanceof DeliveryDecision.Defer deferral) {
            defer(delivery, settler, deferral);
        } else if (verdict instanceof DeliveryDecision.DeadLetter deadLetter) {
            deadLetter(delivery, settler, deadLetter, patience);
        } else if (ranInListener(verdict)) {
            settler.finished();
        } else if (verdict instanceof DeliveryDecision.Stop) {
            throw new IllegalStateException("A stop is the delivery hook's to carry out");
        } else {
            settler.acknowledge();
        }
    }

    /** Whether a message of a batch is simply to be acknowledged. */
    public static boolean isDone(DeliveryDecision verdict) {
        return verdict instanceof DeliveryDecision.Ran
                || verdict instanceof DeliveryDecision.Duplicate
                || verdict instanceof DeliveryDecision.Skipped;
    }

    private static boolean ranInListener(DeliveryDecision verdict) {
        return verdict instanceof DeliveryDecision.Ran
                || verdict instanceof DeliveryDecision.Handed
                || verdict instanceof DeliveryDecision.LeftOpen
                || verdict instanceof DeliveryDecision.Failed
                || verdict instanceof DeliveryDecision.HandedBack;
    }

    private void defer(Delivery delivery, MessageSettler settler, DeliveryDecision.Defer verdict) throws Exception {
        LOG.debug(
                "{} goes back to the broker for scope \"{}\": {}", delivery.message(), verdict.scope(), verdict.why());
        events.publish(new ConsumerEvent.Deferred(verdict.scope(), RabbitDelivery.TRANSPORT, verdict.retryAfter()));
        settler.defer(verdict);
    }

    private void deadLetter(
            Delivery delivery, MessageSettler settler, DeliveryDecision.DeadLetter verdict, Duration patience)
            throws Exception {
        InPlaceWait wait = new InPlaceWait(patience, delivery.message()::stopping);
        Optional<DeliveryDecision.Defer> refused = tryDeadLetter(delivery, settler, verdict);
        while (refused.isPresent() && wait.pause(refused.get())) {
            refused = tryDeadLetter(delivery, settler, verdict);
        }
        if (refused.isPresent()) {
            defer(delivery, settler, refused.get());
        }
    }

    /** Publishes a dead letter and settles its message; where nobody takes the letter, settles nothing and says what is left. */
    public Optional<DeliveryDecision.Defer> tryDeadLetter(
            Delivery delivery, MessageSettler settler, DeliveryDecision.DeadLetter verdict) throws Exception {
        DeadLetters.Result result = deadLetters.publish(delivery.message(), verdict);
        if (result == DeadLetters.Result.REFUSED) {
            String why = "its dead letter was not confirmed";
            return Optional.of(new DeliveryDecision.Defer(verdict.scope(), Duration.ZERO, why));
        }
        LOG.warn("{} is a dead letter of scope \"{}\": {}", delivery.message(), verdict.scope(), verdict.reason());
        events.publish(new ConsumerEvent.DeadLettered(verdict.scope(), RabbitDelivery.TRANSPORT, verdict.reason()));
        if (result == DeadLetters.Result.CONFIRMED) {
            settler.acknowledge();
        } else {
            settler.reject(verdict);
        }
        return Optional.empty();
    }
}
