package io.idem.consumer.internal.rabbit.message;

import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.UndecidedDelivery;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands one delivery to its listener, as often as it takes, and returns the decision each time.
 *
 * @param listener its name, for the log
 */
public record DeliveryAttempts(Delivery delivery, Settler settler, String listener) {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryAttempts.class);

    /** Makes an attempt; a failure on which the container's own policy has to act is thrown. */
    public DeliveryDecision next() throws Throwable {
        delivery.reset();
        try {
            CurrentDelivery.callWith(delivery, settler.attempt()::proceed);
            return UndecidedDelivery.decision(delivery, listener);
        } catch (Throwable failure) {
            return failed(failure);
        }
    }

    /** Returns the rejection if the record says that no retry can help; else throws for the container's policy. */
    private DeliveryDecision failed(Throwable failure) throws Throwable {
        DeliveryDecision decision = delivery.decision().orElse(null);
        if (decision instanceof DeliveryDecision.Defer || decision instanceof DeliveryDecision.Stop) {
            LOG.debug("{} keeps its decision, although the application threw afterwards", delivery, failure);
            return decision;
        }
        if (decision instanceof DeliveryDecision.Failed known
                && known.rejection().isPresent()) {
            DeliveryDecision.DeadLetter dead = known.rejection().get();
            LOG.debug("{} failed for good in scope \"{}\"", delivery, dead.scope(), failure);
            return dead;
        }
        letFail(decision instanceof DeliveryDecision.Refused, failure);
        throw failure;
    }

    private void letFail(boolean refused, Throwable failure) {
        try {
            if (refused) {
                settler.refused(failure);
            } else {
                settler.failed(failure);
            }
        } catch (Exception second) {
            failure.addSuppressed(second);
        }
    }
}
