package io.idem.consumer.rabbit;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.delivery.Delivery;
import io.idem.consumer.delivery.DeliveryVerdict;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settles deliveries by their last verdict, whatever the way of settling is. Thread-safe; blocks while a dead letter is confirmed. */
record VerdictSettlement(ConsumerEvents events, DeadLetters deadLetters) {

    private static final Logger LOG = LoggerFactory.getLogger(VerdictSettlement.class);

    void settle(Delivery delivery, MessageSettler settler, DeliveryVerdict verdict) throws Exception {
        if (verdict instanceof DeliveryVerdict.Defer deferral) {
            defer(delivery, settler, deferral);
        } else if (verdict instanceof DeliveryVerdict.DeadLetter deadLetter) {
            deadLetter(delivery, settler, deadLetter);
        } else if (ranInListener(verdict)) {
            settler.finished();
        } else {
            settler.acknowledge();
        }
    }

    /** Whether a message of a batch is simply to be acknowledged. */
    static boolean isDone(DeliveryVerdict verdict) {
        return verdict instanceof DeliveryVerdict.Ran
                || verdict instanceof DeliveryVerdict.Duplicate
                || verdict instanceof DeliveryVerdict.Skipped;
    }

    private static boolean ranInListener(DeliveryVerdict verdict) {
        return verdict instanceof DeliveryVerdict.Ran
                || verdict instanceof DeliveryVerdict.Handed
                || verdict instanceof DeliveryVerdict.Failed
                || verdict instanceof DeliveryVerdict.HandedBack;
    }

    private void defer(Delivery delivery, MessageSettler settler, DeliveryVerdict.Defer verdict) throws Exception {
        LOG.info("{} goes back to the broker for scope \"{}\": {}", delivery.message(), verdict.scope(), verdict.why());
        events.publish(
                new ConsumerEvent.Deferred(verdict.scope(), RabbitDeliveredMessage.TRANSPORT, verdict.retryAfter()));
        settler.defer(verdict);
    }

    private void deadLetter(Delivery delivery, MessageSettler settler, DeliveryVerdict.DeadLetter verdict)
            throws Exception {
        DeadLetters.Result result = deadLetters.publish(delivery.message(), verdict);
        if (result == DeadLetters.Result.REFUSED) {
            String why = "its dead letter was not confirmed";
            defer(delivery, settler, new DeliveryVerdict.Defer(verdict.scope(), Duration.ZERO, why));
            return;
        }
        LOG.error("{} is a dead letter of scope \"{}\": {}", delivery.message(), verdict.scope(), verdict.reason());
        events.publish(
                new ConsumerEvent.DeadLettered(verdict.scope(), RabbitDeliveredMessage.TRANSPORT, verdict.reason()));
        if (result == DeadLetters.Result.CONFIRMED) {
            settler.acknowledge();
        } else {
            settler.reject(verdict);
        }
    }
}
