package io.idem.workshop.simulation.world;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.delivery.CurrentDelivery;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.workshop.simulation.kernel.Crash;
import java.time.Duration;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/** Passes records of a log to the listener and acts on its decision. */
record LogHandler(World world, Payments payments, DeadLetterBox deadLetters) {

    private static final int MOST_FAILURES = 10;
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration LONGEST_REST = Duration.ofSeconds(1);

    /** Returns the pause before the record is delivered again; zero if it is done. */
    Duration handle(String key, int offset, LogConsumer.Failures failures) {
        DeliveryDecision decision = decision(key, offset);
        if (decision instanceof DeliveryDecision.Defer deferral) {
            return world.setup().flaw().acknowledgesBusy() ? Duration.ZERO : rest(deferral);
        }
        boolean failed = decision instanceof DeliveryDecision.Failed || decision instanceof DeliveryDecision.Refused;
        if (failed && failures.another() < MOST_FAILURES) {
            return SOON;
        }
        if (failed || decision instanceof DeliveryDecision.DeadLetter) {
            return deadLetters.publish(key) ? Duration.ZERO : SOON;
        }
        return Duration.ZERO;
    }

    private static Duration rest(DeliveryDecision.Defer deferral) {
        Duration asked = deferral.retryAfter().compareTo(SOON) > 0 ? deferral.retryAfter() : SOON;
        return asked.compareTo(LONGEST_REST) < 0 ? asked : LONGEST_REST;
    }

    private DeliveryDecision decision(String key, int offset) {
        Message message = message(key);
        Delivery delivery = new Delivery(new LogRecord(message, offset));
        try {
            var unused = CurrentDelivery.callWith(delivery, () -> payments.pay(message));
        } catch (Crash crash) {
            throw crash;
        } catch (Throwable failure) {
            return failed(delivery, failure);
        }
        return delivery.decision().orElseThrow();
    }

    private static DeliveryDecision failed(Delivery delivery, Throwable failure) {
        return delivery.decision().orElseThrow(() -> new IllegalStateException("No decision on what threw", failure));
    }

    private static Message message(String key) {
        MessageProperties properties = new MessageProperties();
        properties.setHeader(IdempotencyHeaders.KEY, key);
        return new Message(new byte[0], properties);
    }
}
