package io.idem.consumer.internal.delivery;

import io.idem.FailurePolicy;
import io.idem.Scope;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.outage.StoreOutage;
import java.time.Duration;
import java.util.Optional;
import org.springframework.messaging.MessagingException;

/** Decision of the interceptor on a delivery, by which the delivery hook settles. */
public sealed interface DeliveryDecision {

    /** The work took effect: acknowledge. */
    record Ran() implements DeliveryDecision {}

    /**
     * The listener's end is a stage, and the container's own adapter has it: it acknowledges or fails when the stage
     * ends, which is after COMPLETE. Let its settlement through.
     */
    record Handed() implements DeliveryDecision {}

    /**
     * The listener settles the message itself, and has returned without having done so: its work is not finished. Its
     * acknowledgement completes the record before it goes out, a negative one releases the key. Settle nothing.
     */
    record LeftOpen() implements DeliveryDecision {}

    /**
     * The work had taken effect before and did not run: acknowledge. The stored result was returned to the container.
     */
    record Duplicate() implements DeliveryDecision {}

    /** The message is not to be run at all, by policy: acknowledge. */
    record Skipped() implements DeliveryDecision {}

    /** The work returned but had handed the message back by itself: let its own settlement through. */
    record HandedBack() implements DeliveryDecision {}

    /**
     * The message was refused before the listener had it, and an exception is on its way: the container's own policy
     * acts on it. A listener that acknowledges by itself never sees it, so the delivery hook settles instead.
     */
    record Refused() implements DeliveryDecision {}

    /**
     * The listener threw: the container's own policy acts on the exception, which is on its way. If the container
     * returns all the same, a recoverer or error handler of the application took the message over.
     *
     * @param rejection the dead letter to make if the exception gets through; present if the record says that no retry
     *     can help
     */
    record Failed(Optional<DeadLetter> rejection) implements DeliveryDecision {}

    /**
     * The message cannot run now: another owner holds the lease, or the store is silent. Never acknowledge, never count
     * as a failure, never hand to a recoverer.
     *
     * @param retryAfter when asking again makes sense; zero for at once
     * @param why for logs
     * @param outage until whose end there is no point in asking again; empty for a deferral of this message alone
     */
    record Defer(Scope scope, Duration retryAfter, String why, Optional<StoreOutage> outage)
            implements DeliveryDecision {

        /** Defers a message for a reason of its own, not for an outage. */
        public Defer(Scope scope, Duration retryAfter, String why) {
            this(scope, retryAfter, why, Optional.empty());
        }
    }

    /**
     * The delivery cannot be decided, for a reason that lies in the application and not in the message: a configuration
     * that idem refuses, or an advice of the application that did not call the listener. Never acknowledge, never count
     * as a failure, never hand to a recoverer: stop the container and leave the message to the broker.
     *
     * @param refusal names the listener, the problem and the remedy
     */
    record Stop(ListenerConfigurationException refusal) implements DeliveryDecision {}

    /**
     * The message cannot run now, and a durable copy of it, which comes later, is with the broker already: acknowledge.
     */
    record Moved() implements DeliveryDecision {}

    /**
     * The message will never run: make it a durable dead letter, then acknowledge.
     *
     * @param attempts number of grants, 0 where unknown
     */
    record DeadLetter(Scope scope, String reason, int attempts) implements DeliveryDecision {

        /** Returns the reason for a failure of the work, without what Spring's message channels wrap around it. */
        public static String reason(Throwable failure) {
            return failure instanceof MessagingException && failure.getCause() != null
                    ? reason(failure.getCause())
                    : FailurePolicy.reason(failure);
        }
    }
}
